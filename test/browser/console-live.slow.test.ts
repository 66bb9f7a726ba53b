// Live parts of pages: what a stream of events tells, when it is silent, when it ends, and how many there may be.
import { describe, expect, it } from 'vitest';
import { PRIMARY, REPLICA, SHOP } from './console-world.ts';
import { ORIGIN, makeDesk, type Followed } from './requests.ts';

const PROJECT = `/projects/${SHOP}`;
const EVENTS = `${PROJECT}/events`;

const names = ({ events }: Followed): string[] => events.map(({ name }) => name);
/** What the newest event says of the newest operation. */
const newest = ({ events }: Followed): string =>
  /data-say="((?:Start|Suspend) compute: [^"]*)"/.exec(events.at(-1)?.data ?? '')?.[1] ?? '';
const durationOf = ({ events }: Followed): string =>
  /data-label="Duration"><div>([^<]*)</.exec((events.at(-1)?.data ?? '').split('id="operation-')[1] ?? '')?.[1] ?? '';

describe('a stream', () => {
  it('begins with the part as it is, and is silent while nothing changes', async () => {
    const desk = makeDesk();
    const person = await desk.person();
    const stream = await person.follow(EVENTS);
    await desk.pass(60_000);
    expect(stream.status).toBe(200);
    const shown = (await person.get(PROJECT)).html;
    expect(names(stream)).toEqual(['part']);
    expect(shown).toContain(stream.events[0]?.data.split('\n')[1]?.trim());
    await stream.close();
  });

  it('tells each status of an operation and its duration while it runs, then is silent again', async () => {
    const desk = makeDesk();
    const person = await desk.person();
    const stream = await person.follow(EVENTS);
    await desk.pass(250);
    await person.ask('restartProjectEndpoint', { project_id: SHOP, endpoint_id: PRIMARY });
    const seen: string[] = [];
    for (let look = 0; look < 12; look += 1) {
      await desk.pass(250);
      seen.push(`${newest(stream)} ${durationOf(stream)}`);
    }
    expect(seen.slice(0, 5)).toEqual([
      'Start compute: In progress 0.3 s',
      'Start compute: In progress 0.5 s',
      'Start compute: In progress 0.8 s',
      'Start compute: OK 1.0 s',
      'Start compute: OK 1.0 s',
    ]);
    const told = stream.events.length;
    await desk.pass(20_000);
    expect(stream.events).toHaveLength(told);
    await stream.close();
  });

  it('tells what other people and programs do', async () => {
    const desk = makeDesk();
    const person = await desk.person();
    const stream = await person.follow(`${PROJECT}/branches/br-wispy-meadow-118737/events`);
    const headers = { Authorization: `Bearer ${desk.key}`, 'Content-Type': 'application/json' };
    const path = `${ORIGIN}/api/v2${PROJECT}/branches/br-wispy-meadow-118737/roles`;
    const body = JSON.stringify({ role: { name: 'reporting' } });
    expect((await desk.plane.handle(new Request(path, { method: 'POST', headers, body }))).status).toBe(201);
    await desk.pass(250);
    expect(stream.events.at(-1)?.data).toContain('reporting');
    await stream.close();
  });

  it.each(['/', PROJECT, `${PROJECT}/branches/br-calm-sea-220011`, `${PROJECT}/computes/${REPLICA}`, '/log'])(
    'is there for %s',
    async (path) => {
      const desk = makeDesk();
      const stream = await (await desk.person()).follow(path === '/' ? '/events' : `${path}/events`);
      await desk.pass(250);
      expect([stream.status, names(stream)]).toEqual([200, ['part']]);
      await stream.close();
    },
  );

  it.each([
    ['/keys/events', 404],
    ['/projects/none/events', 404],
  ])('is not there for %s', async (path, status) => {
    expect((await (await makeDesk().person()).get(path)).status).toBe(status);
  });
});

describe('a stream ends', () => {
  it('with its session: at the end of the key, and of its time', async () => {
    const desk = makeDesk();
    const value = desk.plane.issueKey('mine').reveal();
    const person = await desk.person(value);
    const stream = await person.follow(EVENTS);
    const id = desk.plane.truth.keys().find(({ name }) => name === 'mine')?.id ?? '';
    const headers = { Authorization: `Bearer ${desk.key}` };
    await desk.plane.handle(new Request(`${ORIGIN}/api/v2/api_keys/${id}`, { method: 'DELETE', headers }));
    await desk.pass(5000);
    expect([names(stream).at(-1), stream.isOver()]).toEqual(['over', true]);
  });

  it('with what it is about', async () => {
    const desk = makeDesk();
    const person = await desk.person();
    const stream = await person.follow(`${PROJECT}/computes/${PRIMARY}/events`);
    await desk.pass(250);
    await person.ask('deleteProjectEndpoint', { project_id: SHOP, endpoint_id: PRIMARY });
    await desk.pass(250);
    expect([names(stream).at(-1), stream.isOver()]).toEqual(['over', true]);
  });

  it('where a person has too many of them: the oldest go, and say so', async () => {
    const desk = makeDesk();
    const [person, other] = [await desk.person(), await desk.person()];
    const theirs = await other.follow(EVENTS);
    const streams: Followed[] = [];
    for (let count = 0; count < 6; count += 1) streams.push(await person.follow(EVENTS));
    await desk.pass(250);
    const last = streams.map((stream) => names(stream).at(-1));
    expect(last).toEqual(['elsewhere', 'elsewhere', 'part', 'part', 'part', 'part']);
    expect(names(theirs)).toEqual(['part']);
    for (const stream of [theirs, ...streams]) await stream.close();
  });

  it('where there are too many of all', async () => {
    const desk = makeDesk();
    const streams: Followed[] = [];
    for (let count = 0; count < 45; count += 1) streams.push(await (await desk.person()).follow(EVENTS));
    await desk.pass(250);
    expect(streams.filter((stream) => stream.isOver())).toHaveLength(5);
    expect(streams.slice(5).every((stream) => !stream.isOver())).toBe(true);
    for (const stream of streams) await stream.close();
  });
});

describe('a stream is refused', () => {
  it('without a session, and to pages of others', async () => {
    const desk = makeDesk();
    expect((await desk.visitor().get(EVENTS)).status).toBe(401);
    const person = await desk.person();
    for (const site of ['same-site', 'cross-site', 'none'])
      expect((await person.get(EVENTS, { 'Sec-Fetch-Site': site })).status).toBe(403);
  });
});
