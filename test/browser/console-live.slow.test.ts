// Live parts of pages: what the script of an open page is told, when it is told nothing, and when it has to leave.
import { describe, expect, it } from 'vitest';
import { PRIMARY, REPLICA, SHOP } from './console-world.ts';
import { signedIn, makeDesk, type Seen } from './requests.ts';

const PROJECT = `/projects/${SHOP}`;

const stateOf = ({ headers }: Seen): string => headers.get('x-state') ?? 'none';
/** The newest operation in a live part, with its duration. */
const newestIn = ({ html }: Seen): string => {
  const said = /data-say="((?:Start|Suspend) compute: [^"]*)"/.exec(html)?.[1];
  return `${said} ${/data-label="Duration"><div>([^<]*)</.exec(html.split('id="operation-')[1] ?? '')?.[1]}`;
};

describe('the live part of a page', () => {
  it('is sent as the page shows it, and then only when it has changed', async () => {
    const { desk, person } = await signedIn();
    const first = await person.look(PROJECT);
    expect(first.status).toBe(200);
    expect((await person.get(PROJECT)).html).toContain(first.html.split('\n')[1]?.trim());
    await desk.pass(60_000);
    const second = await person.look(PROJECT, stateOf(first));
    expect([second.status, second.html]).toEqual([204, '']);
  });

  it('tells each status and the duration of an operation while it runs, then nothing', async () => {
    const { desk, person } = await signedIn();
    let last = await person.look(PROJECT);
    await desk.pass(250);
    await person.ask('restartProjectEndpoint', { project_id: SHOP, endpoint_id: PRIMARY });
    const seen: string[] = [];
    for (let look = 0; look < 12; look += 1) {
      await desk.pass(250);
      const next = await person.look(PROJECT, stateOf(last));
      if (next.status === 200) last = next;
      seen.push(newestIn(last));
    }
    const told = ['In progress 0.3 s', 'In progress 0.5 s', 'In progress 0.8 s', 'OK 1.0 s', 'OK 1.0 s'];
    expect(seen.slice(0, 5)).toEqual(told.map((words) => `Start compute: ${words}`));
    await desk.pass(20_000);
    expect((await person.look(PROJECT, stateOf(last))).status).toBe(204);
  });

  it('tells what other people and programs do', async () => {
    const { desk, person } = await signedIn();
    const branch = `${PROJECT}/branches/br-wispy-meadow-118737`;
    const before = await person.look(branch);
    expect((await desk.send('POST', `${branch}/roles`, { role: { name: 'reporting' } })).status).toBe(201);
    expect((await person.look(branch, stateOf(before))).html).toContain('reporting');
  });

  it('is there for pages that show what is live, and for no other', async () => {
    const person = await makeDesk().person();
    const pages = ['/', PROJECT, `${PROJECT}/branches/br-calm-sea-220011`, `${PROJECT}/computes/${REPLICA}`, '/log'];
    for (const path of pages) {
      const part = await person.look(path);
      expect([path, part.status, part.html.includes('<html')]).toEqual([path, 200, false]);
      expect([path, (await person.look(path, stateOf(part))).status]).toEqual([path, 204]);
    }
    for (const path of ['/keys', '/projects/none'])
      expect([path, (await person.look(path)).status]).toEqual([path, 404]);
  });

  it('is gone with what the page is about', async () => {
    const person = await makeDesk().person();
    const compute = `${PROJECT}/computes/${PRIMARY}`;
    const part = await person.look(compute);
    await person.ask('deleteProjectEndpoint', { project_id: SHOP, endpoint_id: PRIMARY });
    expect((await person.look(compute, stateOf(part))).status).toBe(404);
  });
});
