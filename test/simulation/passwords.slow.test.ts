// The laws on passwords can be broken, and what breaks them is found: each by a run that does, or a story in which a defect would.
import { describe, expect, it } from 'vitest';
import type { ExchangeFault } from '../../src/control-plane/index.ts';
import { differences } from './laws/end-state.ts';
import { falseStores } from './laws/passwords.ts';
import { leaks, watchPlaces } from './laws/secrets.ts';
import { FORMS, sceneOf, type Scene } from './scene.ts';
import type { Schedule } from './schedule.ts';
import { play } from './simulate.ts';
import { workloadOf } from './world/reference.ts';
import { SECRETS } from './world/site.ts';
import { desiredOf } from './world/workload.ts';

const RESET = '/projects/shop-project-000001/branches/br-main-000001/roles/app/reset_password';

/** What the end of the story and the run itself are reproached with. */
async function judged({ story, record }: Scene): Promise<readonly (readonly string[])[]> {
  return [differences(story, await desiredOf(story.workload), record), falseStores(story, record)];
}

describe('the laws on passwords are broken by', () => {
  it('a password that somebody reset since', async () => {
    const scene = await sceneOf('T13');
    expect(await judged(scene)).toEqual([[], []]);
    await scene.story.site.time.run(scene.story.site.time.clockOf().sleep(60_000), 120_000);
    await scene.forge('POST', RESET);
    const [end = [], said = []] = await judged(scene);
    expect(end).toEqual([
      'shop/branches/main/connections/app: what orders.json holds does not open',
      'shop/branches/main/roles/app: what app.json holds does not open',
    ]);
    expect(said).toEqual(end.map((words) => `run 1 says that it is done, but ${words}`));
  });

  it('an empty place, and a URI that leads elsewhere', async () => {
    const scene = await sceneOf('T12');
    expect(await judged(scene)).toEqual([[], []]);
    const { disk, vault } = scene.story.site;
    vault.clear();
    const path = `${SECRETS}/orders.json`;
    disk.write(path, (disk.text(path) ?? '').replace('@ep-', '@xp-'));
    const [end = []] = await judged(scene);
    expect(end).toEqual([
      'shop/branches/main/connections/app: the URI in orders.json leads elsewhere',
      'shop/branches/main/roles/audit: vault holds no password',
    ]);
  });

  it.each(FORMS)('one in the output, %s', async (_, form) => {
    const { story, record } = await sceneOf('T12');
    const { passwords } = story.site;
    expect(passwords.size).toBeGreaterThan(2);
    expect(leaks(story.site, [record])).toEqual([]);
    record.said.push(`text ${form([...passwords].at(-1) ?? '')} text`);
    expect(leaks(story.site, [record])).toEqual(['a password is in the output']);
  });

  it('half a record in a place, and one that nobody ever had', async () => {
    const { story } = await sceneOf('T12');
    const { disk } = story.site;
    const found: string[] = [];
    watchPlaces(story.site, (words) => found.push(words));
    const path = `${SECRETS}/staging.json`;
    const text = disk.text(path) ?? '';
    for (const other of [text, text.slice(0, -4), text.replace(/npg_[^"]+/, 'npg_invented')]) {
      disk.write(path, other);
      disk.onChange(path);
    }
    expect(found).toHaveLength(2);
  });
});

/** The first run under the fault of the reset, or dying after a call of that name; then what heals it. */
async function violationsOf(part: Partial<Schedule>): Promise<readonly string[]> {
  const workload = workloadOf('T13');
  const plain: Schedule = { name: workload.name, seed: 1, workload, faults: [], runs: [{}] };
  return (await play({ ...plain, operationMs: { min: 10, max: 20 }, ...part })).violations;
}

describe('a reset keeps them', () => {
  it.each<[string, ExchangeFault]>([
    ['that is done, and whose reply is lost', { kind: 'after-commit-before-reply' }],
    ['that comes late', { kind: 'late-commit', delayMs: 600_000 }],
    ['whose reply has no body', { kind: 'garble', how: 'empty' }],
    ['that never came', { kind: 'after-send-before-commit' }],
  ])('%s', async (_, fault) => {
    expect(await violationsOf({ faults: [{ when: { method: 'POST', nth: 1 }, fault }] })).toEqual([]);
  });

  it('after which the run dies', async () => {
    const clean = await sceneOf('T13');
    const { calls } = clean.record.life;
    const call = calls.findIndex((name) => name.startsWith(`POST ${RESET}`)) + 1;
    expect(call).toBeGreaterThan(0);
    for (const at of [call, call + 1, call + 4])
      expect(await violationsOf({ runs: [{ crash: { call: at, when: 'after' } }] })).toEqual([]);
  });
});
