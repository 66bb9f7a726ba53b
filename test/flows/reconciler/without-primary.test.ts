// However a run ends, its result says which branches had a primary when it began and have none now.
import { describe, expect, it } from 'vitest';
import type { RunResult } from '../../../src/model/outcome/result.ts';
import { resultToJson } from '../../../src/render/machine/result-json.ts';
import { resultFromJson } from '../../../src/render/machine/saved-result.ts';
import { COMPUTE, ID, MAIN, shopWorld, STAGING } from '../../support/shop.ts';
import { openSite, somebody, type Site, type SiteOptions } from '../../support/site.ts';

const DEV = 'br-old-river-991122';
const [BLUE, GREEN] = [COMPUTE, 'ep-early-frost-500002'];

const seed = shopWorld({
  branches: [
    { id: MAIN, name: 'main' },
    { id: STAGING, name: 'staging' },
    { id: DEV, name: 'dev' },
  ],
  computes: [
    { id: BLUE, branch: 'main' },
    { id: GREEN, branch: 'staging' },
  ],
});
const fileOf = (...computes: readonly string[]): string =>
  `version: 1\nprojects:\n  shop:\n    branches: { main: ${MAIN}, staging: ${STAGING}, dev: ${DEV} }\n    computes:\n${computes.map((line) => `      ${line}\n`).join('')}`;
const SWAP = fileOf(
  `blue: { id: ${BLUE}, branch: staging, lifecycle: { via: dev } }`,
  `green: { id: ${GREEN}, branch: main }`,
);

const opened = (options: SiteOptions = {}): Site =>
  openSite({ file: SWAP, seed, operationMs: { min: 2000, max: 2000 }, ...options });

const left = ({ vacated }: RunResult): string[] =>
  vacated.map(({ id, diagnostic: { message } }) => `${id}: ${message}`);
const SAYS_MAIN = `branch main (${MAIN}) has no primary now, unlike at the start of this run`;
const empty = ({ controlPlane }: Site): string[] => {
  const held = new Set(controlPlane.truth.computes().map(({ branchId }) => branchId));
  return [MAIN, STAGING].filter((id) => !held.has(id));
};

/** Signals that come when the first leg of the swap is done. */
function stopAfterFirstLeg(kinds: readonly ('soft' | 'hard')[]) {
  const controllers = { soft: new AbortController(), hard: new AbortController() };
  return {
    stop: { soft: controllers.soft.signal, hard: controllers.hard.signal },
    onEvent: ({ type }: { readonly type: string }): void => {
      if (type === 'apply_complete') for (const kind of kinds) controllers[kind].abort(new Error('stop'));
    },
  };
}

describe('a swap that breaks off between its legs', () => {
  it.each<[string, readonly ('soft' | 'hard')[]]>([
    ['asked to stop', ['soft']],
    ['asked to stop hard', ['soft', 'hard']],
  ])('%s: says which branch is left, and how to go on', async (_name, kinds) => {
    const account = opened();
    const { result } = await account.apply(stopAfterFirstLeg(kinds));
    expect(result.status).toBe('interrupted');
    expect(empty(account)).toEqual([MAIN]);
    expect(left(result)).toEqual([`${MAIN}: ${SAYS_MAIN}`]);
    expect(resultToJson(result)).toMatchObject({
      without_primary: [MAIN],
      diagnostics: [{ code: 'without_primary', summary: SAYS_MAIN }],
    });
    const again = resultFromJson(JSON.parse(JSON.stringify(resultToJson(result))));
    expect(again?.vacated).toEqual(result.vacated);

    const plan = await account.plan();
    expect(plan.changes.flatMap(({ notes }) => notes)).toContain(`branch main (${MAIN}) has no primary now`);
    const { result: next } = await account.apply();
    expect([next.status, empty(account)]).toEqual(['converged', []]);
    expect(left(next)).toEqual([`${DEV}: branch dev (${DEV}) has no primary now, unlike at the start of this run`]);
  });

  it('stopped because somebody else changed what is next: it looks again', async () => {
    const account = opened();
    const takeAway = async (): Promise<void> => {
      await account.clock.sleep(500);
      await somebody(account.controlPlane, 'DELETE', `/projects/${ID}/endpoints/${GREEN}`);
    };
    const { result } = await account.apply({ between: () => void takeAway() });
    expect(empty(account)).toEqual([MAIN, STAGING]);
    expect(result.vacated.map(({ id }) => id)).toEqual([STAGING, MAIN]);
  });
});

describe('a run that ends well', () => {
  it.each<[string, string, readonly string[]]>([
    ['tells what the plan left on purpose', fileOf(`blue: { id: ${BLUE}, state: absent }`), [MAIN]],
    ['and of a move', fileOf(`blue: { id: ${BLUE}, branch: dev }`), [MAIN]],
    ['and nothing of a chain that fills it again', SWAP, []],
    ['nor of a change that leaves no place', fileOf('blue: { branch: main, suspend_timeout_seconds: 600 }'), []],
  ])('%s', async (_name, file, expected) => {
    const account = opened({ file });
    const { result } = await account.apply();
    expect(result.status).toBe('converged');
    expect(result.vacated.map(({ id }) => id)).toEqual(expected);
  });
});
