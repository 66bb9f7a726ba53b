// What the console shows and does: statuses in the words of the API reference, actions under the API's own rules, pages of lists.
import { describe, expect, it } from 'vitest';
import { routes } from '../../src/api/index.ts';
import { statusDetail, statusOf } from '../../src/control-plane/console/words.ts';
import { allMembers } from '../control-plane/members/schema-members.ts';
import { MAIN, STAGING } from '../control-plane/world.ts';
import { PRIMARY, REPLICA, SHOP } from './console-world.ts';
import { formOf, makeDesk, signedIn, type Seen } from './requests.ts';
import { largeWorld } from '../support/large-world.ts';

const PROJECT = `/projects/${SHOP}`;
const compute = (id: string): Record<string, string> => ({ project_id: SHOP, endpoint_id: id });
const branch = (id: string): Record<string, string> => ({ project_id: SHOP, branch_id: id });

const sizes = (min: string, max: string): Record<string, string> => ({
  'endpoint.autoscaling_limit_min_cu': min,
  'endpoint.autoscaling_limit_max_cu': max,
});

/** The text of a row of a table, by the id of the row. */
function rowOf({ html }: Seen, id: string): string {
  const row = new RegExp(`<tr[^>]* id="${id}".*?</tr>`, 's').exec(html)?.[0] ?? '';
  return row.replace(/(?:<[^>]*>|\s)+/g, ' ').trim();
}

/** "action: status" of the operations that a page shows, in its order. */
const shownOperations = ({ html }: Seen): string[] =>
  [...html.matchAll(/id="operation-[^"]*"\s+data-say="([^"]*)"/g)].map(([, say]) => say ?? '');

describe('the words', () => {
  it.each([
    ['finished', 'OK'],
    ['skipped', 'OK'],
    ['scheduling', 'Scheduling'],
    ['running', 'In progress'],
    ['cancelling', 'In progress'],
    ['failed', 'Error'],
    ['error', 'Error'],
    ['cancelled', 'Error'],
  ])('operation status %s is shown as %s', (status, label) => {
    expect(statusOf({ id: 'x', action: 'start_compute', status }).label).toBe(label);
  });

  it('an error says why, how often, and when it is tried again', () => {
    const failed = { error: 'no room', failures_count: 2, retry_at: '2026-01-01T00:00:05.000Z' };
    const words = 'no room; 2 attempts failed; next attempt 2026-01-01 00:00:05 UTC';
    expect(statusDetail({ id: 'x', action: 'apply_config', status: 'failed', ...failed })).toBe(words);
  });
});

describe('a branch', () => {
  it('says once what it is at, and when it expires', async () => {
    const { desk, person } = await signedIn();
    const wish = { 'branch.name': 'preview', 'branch.parent_id': MAIN, 'branch.expires_at': '2h' };
    const { location } = await person.ask('createProjectBranch', { project_id: SHOP, ...wish });
    const words = async (): Promise<string[]> =>
      [...(await person.get(location ?? '')).html.matchAll(/Init<|Ready<|Expires/g)].map(([word]) => word);
    expect(await words()).toEqual(['Init<', 'Expires']);
    await desk.pass(3000);
    expect(await words()).toEqual(['Ready<', 'Expires']);
  });

  it('has forms that say the consequences, and offer what can be chosen', async () => {
    const person = await makeDesk().person();
    const { html } = await person.get(formOf('deleteProjectBranch', branch(STAGING)));
    expect(html).toContain('can be recovered for seven days');
    expect(html).toMatch(new RegExp(`value="${STAGING}"`));
    const created = await person.get(formOf('createProjectBranch', { project_id: SHOP }));
    expect(created.html).toMatch(/list="branch\.parent_id-list"[\s\S]*<option value="br-calm-sea-220011">staging</);
  });
});

describe('the form of an operation', () => {
  it('has a field for each parameter and each member of the body, for every route', async () => {
    const person = await makeDesk().person();
    for (const { id, parameters } of routes) {
      const { status, html } = await person.get(formOf(id));
      expect([id, status]).toEqual([id, 200]);
      for (const { name } of parameters) expect([id, html.includes(`id="${name}"`)]).toEqual([id, true]);
    }
    for (const { request, path } of allMembers()) {
      const name = path.replaceAll('[]', '.0');
      const { html } = await person.get(formOf(request));
      expect([request, name, html.includes(`id="${name}"`)]).toEqual([request, name, true]);
    }
  });

  it('shows the present values, and sends only those that are changed', async () => {
    const { desk, person } = await signedIn();
    const { html } = await person.get(formOf('updateProjectEndpoint', compute(PRIMARY)));
    expect(html).toMatch(/name="endpoint\.autoscaling_limit_min_cu"[\s\S]*?value="0\.25"/);
    const fields = { 'endpoint.autoscaling_limit_min_cu': '0.25', 'endpoint.name': 'first' };
    expect((await person.ask('updateProjectEndpoint', { ...compute(PRIMARY), ...fields })).status).toBe(303);
    const { before, after } = desk.plane.ledger().at(-1) ?? {};
    expect(after).toMatchObject({ ...(before as object), name: 'first', updated_at: expect.any(String) as string });
  });

  it('shows the reply of a look, once', async () => {
    const person = await makeDesk().person();
    const { location } = await person.ask('getProject', { project_id: SHOP });
    expect((await person.get(location ?? '')).html).toContain('&quot;region_id&quot;: &quot;aws-us-east-2&quot;');
    expect((await person.get(location ?? '')).html).not.toContain('&quot;region_id&quot;');
  });

  it('takes members that are no text as JSON, and says where that is malformed', async () => {
    const { desk, person } = await signedIn();
    const ips = 'project.settings.allowed_ips.ips';
    const broken = await person.ask('updateProject', { project_id: SHOP, [ips]: '["10.0.0.1"' });
    expect([broken.status, broken.html.includes(`${ips} is not valid JSON`)]).toEqual([400, true]);
    expect((await person.ask('updateProject', { project_id: SHOP, [ips]: '["10.0.0.1"]' })).status).toBe(303);
    expect(desk.plane.truth.projects().find(({ id }) => id === SHOP)?.settings?.allowed_ips?.ips).toEqual(['10.0.0.1']);
  });

  it('is not there for an operation that the API does not have', async () => {
    const person = await makeDesk().person();
    for (const id of ['none', 'constructor', '__proto__'])
      expect([id, (await person.get(formOf(id))).status, (await person.ask(id)).status]).toEqual([id, 404, 404]);
  });
});

it('the log shows the changes of the ledger, and whose they are', async () => {
  const person = await makeDesk().person();
  await person.ask('restartProjectEndpoint', compute(REPLICA));
  const { html } = await person.get('/log');
  expect(html).toContain(`compute ${REPLICA}`);
  expect(html).toContain('connections dropped');
  expect(html).toContain(`POST /projects/${SHOP}/endpoints/${REPLICA}/restart`);
});

it.each([
  ['a branch', `${PROJECT}/branches/${MAIN}`, ['Suspend compute: Scheduling', 'Apply config: In progress']],
  ['a compute', `${PROJECT}/computes/${REPLICA}`, []],
  ['the primary', `${PROJECT}/computes/${PRIMARY}`, ['Suspend compute: Scheduling', 'Apply config: In progress']],
])('the newest operations are on the page of %s, and no others', async (_, path, operations) => {
  const { desk, person } = await signedIn();
  const before = shownOperations(await person.get(path));
  await person.ask('createProjectBranchRole', { ...branch(MAIN), 'role.name': 'reporting' });
  expect(shownOperations(await person.get(path))).toEqual([...operations, ...before]);
  await desk.pass(3000);
  const all = operations.map((words) => words.replace(/:.*/, ': OK'));
  expect(shownOperations(await person.get(path))).toEqual([...all, ...before]);
});

describe('a project', () => {
  it('shows what its computes are and do', async () => {
    const { desk, person } = await signedIn();
    const quiet = await person.get(PROJECT);
    expect(rowOf(quiet, `compute-${PRIMARY}`)).toMatch(/Read-write main .* Idle Since .* 0\.25 CU After 5m/);
    expect(rowOf(quiet, `compute-${REPLICA}`)).toMatch(/Read replica main .* Active Since .* 1 to 2 CU Never/);
    await person.ask('restartProjectEndpoint', compute(PRIMARY));
    await person.ask('suspendProjectEndpoint', compute(REPLICA));
    const busy = await person.get(PROJECT);
    expect(rowOf(busy, `compute-${PRIMARY}`)).toContain('Idle Starting');
    expect(rowOf(busy, `compute-${REPLICA}`)).toContain('Active Suspending');
    await desk.pass(1000);
    const after = await person.get(PROJECT);
    expect(rowOf(after, `compute-${PRIMARY}`)).toContain('Active Since');
    expect(rowOf(after, `compute-${REPLICA}`)).toContain('Idle Since');
  });

  it('shows operation, status, branch, compute, duration and date of each operation', async () => {
    const { desk, person } = await signedIn();
    await person.ask('startProjectEndpoint', compute(PRIMARY));
    const [started] = desk.plane.truth.operations({ open: true });
    const look = async (): Promise<string> => rowOf(await person.get(PROJECT), `operation-${started?.id}`);
    const date = new Date(started?.createdMs ?? 0).toISOString().slice(0, 19).replace('T', ' ');
    expect(await look()).toBe(`Start compute In progress main ${PRIMARY} 0 s ${date} UTC`);
    await desk.pass(600);
    expect(await look()).toBe(`Start compute In progress main ${PRIMARY} 0.6 s ${date} UTC`);
    await desk.pass(5000);
    expect(await look()).toBe(`Start compute OK main ${PRIMARY} 1.0 s ${date} UTC`);
    const { html } = await person.get(PROJECT);
    const heads = [...html.matchAll(/<th role="columnheader" scope="col">([^<]*)</g)].map(([, head]) => head);
    expect(heads.slice(-6)).toEqual(['Operation', 'Status', 'Branch', 'Compute', 'Duration', 'Date']);
  });
});

describe('an action', () => {
  it('is made by the key of the session, through the API: the ledger says so', async () => {
    const { desk, person } = await signedIn();
    await person.ask('startProjectEndpoint', compute(PRIMARY));
    const path = `/projects/${SHOP}/endpoints/${PRIMARY}/start`;
    expect(desk.plane.ledger().at(-1)).toMatchObject({ actor: '165001', verb: 'POST', path });
    expect(desk.plane.truth.keys()[0]).toMatchObject({ lastUsedFrom: '127.0.0.1' });
  });

  it.each([
    ['restartProjectEndpoint', compute(PRIMARY), 423, 'running conflicting operations'],
    ['updateProjectEndpoint', { ...compute(PRIMARY), ...sizes('4', '2') }, 400, 'exceeds the maximum'],
    ['deleteProjectBranch', branch(MAIN), 422, 'cannot delete the default branch'],
  ])('obeys the rules of the API: %s %j is refused with %d', async (operation, fields, status, words) => {
    const { desk, person } = await signedIn();
    await person.ask('startProjectEndpoint', compute(PRIMARY));
    const before = desk.plane.ledger().length;
    const refused = await person.ask(operation, fields);
    expect([refused.status, refused.html.includes('Nothing was done')]).toEqual([status, true]);
    expect(refused.html).toContain(words);
    expect(desk.plane.ledger()).toHaveLength(before);
  });

  it('on what is not there is answered with 404', async () => {
    expect((await (await makeDesk().person()).ask('restartProjectEndpoint', compute('ep-none'))).status).toBe(404);
  });

  it('leads to the nearest page above what it deleted', async () => {
    const { desk, person } = await signedIn();
    expect((await person.ask('deleteProjectEndpoint', compute(REPLICA))).location).toBe(PROJECT);
    await desk.pass(5000);
    expect((await person.ask('deleteProject', { project_id: SHOP })).location).toBe('/');
    expect((await person.ask('recoverProject', { project_id: SHOP })).location).toBe(PROJECT);
  });
});

describe('API keys', () => {
  it('are shown once', async () => {
    const { desk, person } = await signedIn();
    const { location } = await person.ask('createApiKey', { key_name: 'ci' });
    expect(location).toBe('/keys?told=1');
    // Looking elsewhere in between takes nothing away.
    expect((await person.get('/keys')).html).not.toContain('napi_');
    // A prefetch and a part of another page show nothing to a person.
    for (const header of [{ 'sec-purpose': 'prefetch' }, { 'sec-fetch-mode': 'no-cors' }])
      expect((await person.get(location ?? '', header)).html).not.toContain('napi_');
    const first = await person.get(location ?? '');
    const value = /napi_[a-z0-9]{64}/.exec(first.html)?.[0] ?? '';
    expect(first.headers.get('cache-control')).toBe('no-store');
    expect((await person.get(location ?? '')).html).not.toContain(value);
    expect((await (await desk.person()).get(location ?? '')).html).not.toContain(value);
    expect((await (await desk.person(value)).get('/keys')).status).toBe(200);
  });

  it.each(['null', 'absent', 'empty_string', 'epoch'] as const)(
    'never used is said so, also when the API says %s',
    async (neverUsedKey) => {
      const desk = makeDesk({ switches: { neverUsedKey } });
      desk.plane.issueKey('unused');
      const person = await desk.person();
      expect(rowOf(await person.get('/keys'), 'key-165002')).toContain('Never –');
      expect(rowOf(await person.get('/keys'), 'key-165001')).toContain('127.0.0.1');
    },
  );

  it('come in pages, newest first', async () => {
    const desk = makeDesk();
    for (let count = 0; count < 120; count += 1) desk.plane.issueKey(`key ${count}`);
    const person = await desk.person();
    const first = await person.get('/keys');
    const second = await person.get(/href="(\/keys\?cursor=[^"]*)"/.exec(first.html)?.[1] ?? '');
    expect([first.html.includes('key 119<'), first.html.includes('key 5<')]).toEqual([true, false]);
    expect([second.html.includes('key 119<'), second.html.includes('key 5<')]).toEqual([false, true]);
    for (const cursor of ['', '0', '-1', 'x', '1e99'])
      expect((await person.get(`/keys?cursor=${cursor}`)).status).toBe(200);
  });
});

it('the list of projects searches, and leads on page by page', async () => {
  const { desk, person } = await signedIn({ seed: largeWorld({ projects: 120 }) });
  const seen: string[] = [];
  let path: string | undefined = '/';
  while (path !== undefined && seen.length <= 120) {
    const { html }: Seen = await person.get(path);
    seen.push(...[...html.matchAll(/id="project-([^"]*)"/g)].map(([, id]) => id ?? ''));
    path = /href="(\/\?[^"]*cursor=[^"]*)"/.exec(html)?.[1]?.replaceAll('&amp;', '&');
  }
  expect(seen).toEqual(desk.plane.truth.projects().map(({ id }) => id));
  const one = desk.plane.truth.projects()[7]?.id ?? '';
  const found = await person.get(`/?search=${one}`);
  expect([...found.html.matchAll(/id="project-/g)]).toHaveLength(1);
  expect((await person.get('/?search=nowhere')).html).toContain('No project has “nowhere”');
  expect((await person.get('/?cursor=broken')).status).toBe(400);
});
