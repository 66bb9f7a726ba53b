// Journeys through the forms of the console, in process: the effect in the account, and each secret shown once.
import { describe, expect, it } from 'vitest';
import { SHOP } from './console-world.ts';
import { signedIn, makeDesk, type Visitor } from './requests.ts';

const MAIN = { project_id: SHOP, branch_id: 'br-wispy-meadow-118737' };
const BRANCH = `/projects/${SHOP}/branches/${MAIN.branch_id}`;
const PASSWORD = /npg_\w+/;

/** The secret that the page after a form shows; the page shows it once. */
async function toldBy(person: Visitor, operation: string, fields: Record<string, string>): Promise<string> {
  const { location } = await person.ask(operation, fields);
  const [value = ''] = PASSWORD.exec((await person.get(location ?? '')).html) ?? [];
  expect(location).not.toContain(value);
  const again = (await person.get(location ?? '')).html;
  expect([again.includes('cannot be viewed again'), again.includes(value)]).toEqual([true, false]);
  return value;
}

describe('a password', () => {
  it('of a role with an odd name is shown once, also after a reset', async () => {
    const { desk, person } = await signedIn();
    const role = 'a/b <i>%2F';
    const first = await toldBy(person, 'createProjectBranchRole', { ...MAIN, 'role.name': role });
    await desk.pass(5000);
    const second = await toldBy(person, 'resetProjectBranchRolePassword', { ...MAIN, role_name: role });
    expect(second).not.toBe(first);
    await desk.pass(5000);
    await person.ask('deleteProjectBranchRole', { ...MAIN, role_name: role });
    await desk.pass(5000);
    expect(desk.plane.ledger().at(-1)).toMatchObject({ verb: 'DELETE', after: null });
    expect((await person.get(BRANCH)).html).not.toContain('a/b &lt;i&gt;%2F</');
  });

  it('of a connection string is shown where it is asked for, and not on the page of the branch', async () => {
    const person = await makeDesk().person();
    const { html } = await person.get(BRANCH);
    expect(html).toMatch(/id="uri-0-value"[^>]*>postgresql:\/\/shop_owner@/);
    expect(html).not.toMatch(PASSWORD);
    await toldBy(person, 'getConnectionUri', { ...MAIN, role_name: 'shop_owner', database_name: 'shopdb' });
  });
});

it('a refused form keeps what was typed, and a branch stands below its parent', async () => {
  const person = await makeDesk().person();
  const fields = { project_id: SHOP, 'branch.name': 'try-out', 'branch.parent_id': 'br-calm-sea-220011' };
  const refused = await person.ask('createProjectBranch', { ...fields, 'branch.expires_at': 'soon' });
  expect(refused.html).toContain('Nothing was done');
  expect(refused.html).toMatch(/name="branch\.name"[\s\S]{0,200}value="try-out"/);
  expect((await person.ask('createProjectBranch', { ...fields, 'branch.expires_at': '2h' })).status).toBe(303);
  const { html } = await person.get(`/projects/${SHOP}`);
  expect(html).toMatch(
    /main<\/a>(?:(?!<\/ul>)[\s\S])*<ul>(?:(?!<\/ul>)[\s\S])*staging<\/a>(?:(?!<\/ul>)[\s\S])*try-out<\/a>/,
  );
});

it('the page for testing changes the clock and the faults for whoever has the admin token', async () => {
  const { desk, person } = await signedIn({}, 'admin-for-tests');
  const refused = async (change: string, fields: Record<string, string>): Promise<string> => {
    const { status, html } = await person.post(`/testing/${change}`, fields);
    expect(status).toBeGreaterThanOrEqual(400);
    return /Nothing was done: ([^<]*)/.exec(html)?.[1] ?? '';
  };
  const done = async (change: string, fields: Record<string, string> = {}): Promise<string> => {
    expect((await person.post(`/testing/${change}`, fields)).status).toBe(303);
    return (await person.get('/testing')).html;
  };
  const { clock, faults } = desk.plane;
  expect(await refused('clock', { advance: '1h' })).toContain('need the admin token');
  expect(await refused('enter', { admin_token: 'wrong' })).toContain('not the admin token');
  await done('enter', { admin_token: 'admin-for-tests' });

  const beforeMs = clock.nowMs();
  expect(await done('clock', { advance: '1h' })).toContain('The clock shows');
  expect(clock.nowMs() - beforeMs).toBe(3_600_000);
  expect(await done('clock', { frozen: 'true' })).toContain('it is frozen');
  expect(clock.state.frozen).toBe(true);
  expect(await refused('clock', { advance: 'soon' })).toContain('a duration such as 90s');
  await done('clock', { frozen: 'false' });
  expect(clock.state.frozen).toBe(false);

  expect(await refused('faults', { fault: 'fale,action=start_compute' })).toContain('fault.kind can be');
  const fault = 'fail,action=suspend_compute,error=no <room>';
  expect(await done('faults', { fault })).toContain('Has not struck yet.');
  await person.ask('suspendProjectEndpoint', { project_id: SHOP, endpoint_id: 'ep-quiet-river-700001' });
  await desk.pass(2000);
  expect((await person.get('/testing')).html).toContain('Has struck 1 time: used up.');
  await done('no-faults');
  expect(faults.plan).toEqual({});
});
