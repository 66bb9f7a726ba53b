// Runs that die at an exchange or a journal line, and replies that are lost: all come to the same end, and nothing is done twice. At full size at any of them.
import { afterAll, describe, expect, test } from 'vitest';
import { canonicalJson } from '../../src/base/json.ts';
import type { Plan } from '../../src/model/outcome/plan.ts';
import type { Allowance } from '../../src/plan/input.ts';
import { sampleOf } from '../support/full-size.ts';
import type { CrashPoint } from '../simulation/world/life.ts';
import { closeProgram, openProgram } from './program.ts';
import type { Fault, Service, Tree } from './service.ts';
import { Site } from './site.ts';

const program = await openProgram();
afterAll(closeProgram);

const HEAD = 'version: 1\nprojects:\n  shop:\n    id: shop-1\n    crates:\n';
const ALLOW: readonly Allowance[] = [
  { action: 'delete', address: 'shop/*' },
  { action: 'replace', address: 'shop/*' },
];

interface Story {
  readonly name: string;
  readonly before: Tree;
  readonly yaml: string;
  readonly after: Tree;
  /** What is committed, each of it once; sorted. */
  readonly ledger: readonly string[];
  /** A project takes one write at a time. */
  readonly isLocking?: boolean;
}

const MAKING: Omit<Story, 'name'> = {
  before: {},
  yaml: `${HEAD}      north: { boxes: { tools: { items: { hammer: { holds: south/spare/nail } } } } }
      south: { beside: north, boxes: { spare: { items: { nail: {} } } } }
`,
  after: {
    north: { has: { tools: { has: { hammer: { holds: 'nail' } } } } },
    south: { beside: 'north', has: { spare: { has: { nail: {} } } } },
  },
  ledger: [
    'create box spare',
    'create box tools',
    'create crate north',
    'create crate south',
    'create item hammer',
    'create item nail',
  ],
};

const STORIES: readonly Story[] = [
  { name: 'a tree that refers across itself', ...MAKING },
  { name: 'the same where one write is taken at a time', isLocking: true, ...MAKING },
  {
    name: 'a rename, a change, a replacement and removals',
    before: { north: { has: { tools: { has: { hammer: { maker: 'Ada' }, nail: {} } }, rest: {} } } },
    yaml: `${HEAD}      up:
        renamed_from: north
        boxes:
          tools: { grade: 2, items: { hammer: { maker: Bea, holds: peg }, peg: { new: true }, nail: {} } }
          rest: { state: absent }
`,
    after: { up: { has: { tools: { grade: 2, has: { hammer: { maker: 'Bea', holds: 'peg' }, nail: {}, peg: {} } } } } },
    ledger: [
      'create item hammer',
      'create item peg',
      'delete box rest',
      'delete item hammer',
      'update box tools',
      'update crate up',
    ],
  },
];

function siteOf(
  { before, isLocking = false }: Pick<Story, 'before' | 'isLocking'>,
  faultAt: Service['faultAt'] = () => null,
): Site {
  const site = new Site(program);
  site.service.plant(before);
  site.service.operationMs = 100;
  site.service.isLocking = isLocking;
  site.service.faultAt = faultAt;
  return site;
}

/** Applies to the end, and tells what is then. */
async function endOf(site: Site, { yaml }: Pick<Story, 'yaml'>, saved?: Plan): Promise<string> {
  const { result } = await site.apply({ yaml, allow: ALLOW }, saved === undefined ? {} : { saved });
  const done = site.service.ledger.map(({ verb, kind, name }) => `${verb} ${kind} ${name}`).sort();
  return canonicalJson({ status: result?.status ?? null, tree: site.service.tree(), done });
}

function rightEnd({ after, ledger }: Story): string {
  return canonicalJson({ status: 'converged', tree: after, done: ledger });
}

/** Each exchange and each line of the journal: before it, and what is written also after it. */
function deathsIn(calls: readonly string[]): readonly CrashPoint[] {
  return calls.flatMap((name, at): readonly CrashPoint[] => {
    const call = at + 1;
    // Between two equal looks, nothing but time has passed.
    if (name.startsWith('GET ')) return name === calls[at - 1] ? [] : [{ call, when: 'before' }];
    const isWrite = /^(?:POST|PATCH|DELETE) |^write .*\/journal$/.test(name);
    return isWrite ? (['before', 'after'] as const).map((when) => ({ call, when })) : [];
  });
}

/** Each exchange whose request or, of a write, whose reply never arrives. */
function lossesIn(wire: readonly string[]): readonly (readonly [at: number, fault: Fault])[] {
  return wire.flatMap((line, at) =>
    line.startsWith('GET ')
      ? [[at + 1, 'lost_before'] as const]
      : [[at + 1, 'lost_before'] as const, [at + 1, 'lost_after'] as const],
  );
}

describe.each(STORIES)('$name', (story) => {
  test('ends well with any one reply lost', async () => {
    const site = siteOf(story);
    expect(await endOf(site, story)).toBe(rightEnd(story));
    for (const [at, fault] of sampleOf(lossesIn(site.service.wire), 2)) {
      const other = siteOf(story, ({ number }) => (number === at ? fault : null));
      expect(await endOf(other, story), `${site.service.wire[at - 1]} ${fault}`).toBe(rightEnd(story));
    }
  });

  test('ends well by its saved plan, carried out again after a death at any write', async () => {
    const first = siteOf(story);
    const saved = await first.plan({ ...story, allow: ALLOW });
    const { calls } = await first.apply(story, { saved });
    const points = deathsIn(calls).filter(({ call }) => /^(?:POST|PATCH|DELETE) /.test(calls[call - 1] ?? ''));
    expect(points.length).toBeGreaterThanOrEqual(2 * story.ledger.length);
    for (const crash of sampleOf(points, 2)) {
      const where = `${crash.when} ${calls[crash.call - 1]}`;
      const site = siteOf(story);
      await site.apply(story, { saved, crash });
      expect(await endOf(site, story, saved), where).toBe(rightEnd(story));
      expect(await endOf(site, story, saved), where).toBe(rightEnd(story));
    }
  });
});

describe.each(STORIES.filter(({ isLocking }) => isLocking !== true))('$name', (story) => {
  test('ends well after a death at any exchange or journal line', async () => {
    const { calls } = await siteOf(story).apply({ ...story, allow: ALLOW });
    const points = deathsIn(calls);
    expect(points.length).toBeGreaterThan(30);
    for (const crash of sampleOf(points, 2)) {
      const where = `${crash.when} ${calls[crash.call - 1]}`;
      const site = siteOf(story);
      const { result } = await site.apply({ ...story, allow: ALLOW }, { crash });
      expect(result, where).toBeNull();
      expect(await endOf(site, story), where).toBe(rightEnd(story));
    }
  });
});

describe('what fails', () => {
  const yaml = `${HEAD}      north: { boxes: { tools: { items: { hammer: { holds: south/spare/nail }, peg: {} } } } }
      south: { boxes: { spare: { items: { nail: {} } } } }
`;

  test.each([
    ['/crates/cr-000001/boxes', 'tools', ['hammer', 'peg']],
    ['/crates/cr-000002/boxes', 'spare', ['hammer', 'nail']],
    ['/crates', 'north', ['hammer', 'peg', 'tools']],
  ])('keeps what rests on it from being sent: %s', async (path, failed, left) => {
    let isFirst = true;
    const site = siteOf({ before: {} }, ({ method, path: asked }) => {
      if (method !== 'POST' || asked !== `/projects/shop-1${path}` || !isFirst) return null;
      isFirst = false;
      return 422;
    });
    const { result } = await site.apply({ yaml });
    const steps = result?.steps ?? [];
    const named = (outcome: string): readonly string[] =>
      steps.flatMap((step) => (step.outcome === outcome ? [step.address.split('/').at(-1) ?? ''] : []));
    expect({ failed: named('failed'), left: named('skipped').toSorted() }).toEqual({ failed: [failed], left });
    const unlike = steps.filter(
      ({ outcome, message, attempts }) =>
        outcome === 'skipped' &&
        (attempts > 0 || !/^depends on create of shop\/crates\/\S+, which (?:failed|was skipped)$/.test(message ?? '')),
    );
    expect(unlike).toEqual([]);
    expect(await endOf(site, { yaml })).toContain('"status":"converged"');
    expect(site.service.ledger).toHaveLength(7);
  });
});
