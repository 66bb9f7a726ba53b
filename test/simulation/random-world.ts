// Seeded workloads: projects, branches, computes and keys as they could be, and a file that wants something else of them.
import type { Random } from '../../src/base/random.ts';
import type { World } from '../../src/control-plane/index.ts';
import { drawTree, type DrawnTree } from './random-trees.ts';
import type { Workload } from './world/workload.ts';

type Compute = NonNullable<NonNullable<World['projects']>[number]['computes']>[number];
type Key = NonNullable<World['api_keys']>[number];

export interface Dice {
  below(limit: number): number;
  chance(probability: number): boolean;
  pick<T>(list: readonly T[]): T;
}

export function diceOf(random: Random): Dice {
  const below = (limit: number): number => Math.floor(random.next() * limit);
  return {
    below,
    chance: (probability) => random.next() < probability,
    pick: <T>(list: readonly T[]): T => {
      const one = list[below(list.length)];
      if (one === undefined) throw new Error('nothing to pick from');
      return one;
    },
  };
}

const SIZES = [0.25, 0.5, 1, 2, 4] as const;
const DELAYS = [0, 60, 300, 600, -1] as const;
const OLD = '-20d';
/** How many projects: most of what goes wrong goes wrong with few. */
const PROJECTS = [0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 3] as const;

/** Attributes in the words of the file; each stands there or not. */
function attributes(dice: Dice): Record<string, string | number | boolean> {
  const size = dice.pick(SIZES);
  return {
    ...(dice.chance(0.6)
      ? { autoscaling_limit_min_cu: size, autoscaling_limit_max_cu: dice.chance(0.5) ? size : 4 }
      : {}),
    ...(dice.chance(0.4) ? { suspend_timeout_seconds: dice.pick(DELAYS) } : {}),
    ...(dice.chance(0.3) ? { pooler_enabled: dice.chance(0.5) } : {}),
    ...(dice.chance(0.2) ? { passwordless_access: dice.chance(0.5) } : {}),
  };
}

interface Drawn {
  readonly tree: DrawnTree | null;
  readonly yaml: string;
  readonly project: NonNullable<World['projects']>[number];
}

function drawProject(dice: Dice, name: string): Drawn {
  const id = `${name}-project-000001`;
  const branches = ['main', 'dev', 'qa']
    .slice(0, dice.pick([1, 1, 2, 3]))
    .map((label) => ({ label, id: `br-${label}-${name}` }));
  const computes: Compute[] = [];
  const lines: string[] = [];
  let number = 0;
  const live = (branch: string, type: 'read_write' | 'read_only'): string => {
    const compute = {
      id: `ep-${type === 'read_write' ? 'first' : 'reader'}-${name}${++number}`,
      branch,
      type,
      ...attributes(dice),
      created_at: `-${20 - (number % 10)}d`,
      last_active: '-2h',
      ...(dice.chance(0.5) ? { current_state: 'active' as const, started_at: '-10d' } : {}),
    };
    computes.push(compute);
    return compute.id;
  };
  const declare = (key: string, fields: Record<string, string | number | boolean>): void => {
    lines.push(
      `      ${key}: { ${Object.entries(fields)
        .map(([field, value]) => `${field}: ${value}`)
        .join(', ')} }`,
    );
  };
  for (const { label, id: branch } of branches) {
    const isThere = dice.chance(0.5);
    const found = isThere ? live(branch, 'read_write') : null;
    if (dice.chance(0.6)) declare(`${label}-first`, { branch: label, ...attributes(dice) });
    else if (found !== null && dice.chance(0.2))
      declare(`${label}-gone`, { branch: label, id: found, state: 'absent' });
    const readers = Array.from({ length: dice.pick([0, 0, 1, 2]) }, () => live(branch, 'read_only'));
    const wanted = dice.pick([0, 1, 1, 2]);
    for (let at = 0; at < wanted; at++) {
      const pin = dice.chance(0.3) ? readers[at] : undefined;
      declare(`${label}-r${at}`, {
        branch: label,
        type: 'read_only',
        ...(pin === undefined ? {} : { id: pin }),
        ...attributes(dice),
        ...(pin !== undefined && dice.chance(0.2) ? { restart: '{ not_before: 2025-12-31T00:00:00Z }' } : {}),
      });
    }
  }
  const prune = dice.chance(0.3) ? `    prune: { types: [read_only] }\n` : '';
  const tree = dice.chance(0.4) ? drawTree(dice, name, branches) : null;
  const labels = branches.map(({ label, id: branch }) => `${label}: ${branch}`).join(', ');
  const section = tree?.yaml ?? `    branches: { ${labels} }\n`;
  const body = lines.length === 0 ? ' {}\n' : `\n${lines.join('\n')}\n`;
  return {
    tree,
    yaml: `  ${name}:\n    id: ${id}\n${section}${prune}    computes:${body}`,
    project: {
      name,
      id,
      created_at: '-40d',
      last_request_at: '-2h',
      branches: [
        ...(tree?.live ?? branches.map(({ label, id: branch }) => ({ id: branch, name: label, created_at: '-40d' }))),
      ],
      computes,
    },
  };
}

interface DrawnKey {
  readonly line: string;
  readonly live: readonly Key[];
  readonly record: string | null;
  readonly replaced: boolean;
  readonly used: readonly string[];
}

function drawKey(dice: Dice, name: string, number: number): DrawnKey {
  const id = 1000 + number;
  const key = `napi_initialvalueof${name}${'x'.repeat(40)}${String(number).padStart(5, '0')}`;
  const isThere = dice.chance(0.5);
  const age = dice.pick(['-100d', '-10d', '-2h']);
  const isUsed = isThere && dice.chance(0.5);
  const live = isThere
    ? [{ id, name, key, created_at: age, ...(isUsed ? { last_used_at: '-1h', last_used_from_addr: '192.0.2.1' } : {}) }]
    : [];
  const sink = dice.pick([
    `{ file: ${name}.json }`,
    `{ file: ${name}.json }`,
    `[{ file: ${name}.json }, { exec: vault }]`,
  ]);
  const hasRecord = isThere && dice.chance(0.6);
  const isAbsent = isThere && dice.chance(0.15);
  const rotate = dice.chance(0.4) ? ', rotate: { not_before: 2025-12-30T00:00:00Z, overlap: 1h }' : '';
  return {
    line: isAbsent
      ? `  ${name}: { state: absent }`
      : `  ${name}: { secret: ${number === 0 ? sink : `{ file: ${name}.json }`}${rotate} }`,
    live,
    record: hasRecord ? `${JSON.stringify({ name, id, key, created_at: '2025-12-01T00:00:00Z' })}\n` : null,
    replaced: !isAbsent,
    used: isUsed ? [String(id)] : [],
  };
}

/** A workload drawn from `random`. What it allows is what makes its end reachable. */
export function randomWorkload(random: Random, name: string): Workload {
  const dice = diceOf(random);
  const projects = ['ant', 'bee', 'cat'].slice(0, dice.pick(PROJECTS)).map((label) => drawProject(dice, label));
  const keys = ['kappa', 'lambda']
    .slice(0, projects.length === 0 ? dice.pick([1, 2]) : dice.pick([0, 0, 1, 1, 2]))
    .map((label, at) => drawKey(dice, label, at));
  const yaml = [
    'version: 1\n',
    ...(keys.length === 0 ? [] : ['api_keys:\n', ...keys.map(({ line }) => `${line}\n`)]),
    ...(projects.length === 0 ? [] : ['projects:\n', ...projects.map((project) => project.yaml)]),
  ].join('');
  const records = keys.flatMap(({ record }, at) =>
    record === null ? [] : [[`${['kappa', 'lambda'][at] ?? ''}.json`, record] as const],
  );
  return {
    name,
    yaml,
    world: {
      version: 1,
      api_keys: [
        {
          id: 77,
          name: 'somebody',
          key: 'napi_somebodyssecretvalue5d1f0c7e93ab482f6d0e1b7c8a91',
          created_at: OLD,
          last_used_at: '-1h',
          last_used_from_addr: '192.0.2.9',
        },
        ...keys.flatMap(({ live }) => live),
      ],
      projects: projects.map(({ project }) => project),
    },
    secrets: Object.fromEntries(records),
    allow: [
      ...(keys.some(({ replaced }) => replaced) ? [{ action: 'replace', address: 'api_keys/*' } as const] : []),
      ...projects.flatMap(({ tree }) => tree?.allow ?? []),
    ],
    holds: projects.flatMap(({ tree }) => tree?.holds ?? []),
    usedKeys: ['77', ...keys.flatMap(({ used }) => used)],
  };
}

/** The same, told by the name of its first project alone; often another one has that name too. Most workloads stay as they are. */
export function namedAlone(workload: Workload, dice: Dice): Workload {
  const projects = workload.world.projects ?? [];
  const [first] = projects;
  const line = `    id: ${first?.id ?? ''}\n`;
  const { name = '' } = first ?? {};
  if (first === undefined || !workload.yaml.includes(`  ${name}:\n${line}`) || !dice.chance(0.3)) return workload;
  const yaml = workload.yaml.replace(line, '');
  if (dice.chance(0.3)) return { ...workload, yaml };
  const twin = {
    ...first,
    id: `${first.id ?? ''}-twin`,
    branches: (first.branches ?? []).map((branch) => ({
      ...branch,
      id: `${branch.id ?? ''}-twin`,
      ...(branch.parent_id === undefined ? {} : { parent_id: `${branch.parent_id}-twin` }),
    })),
    computes: (first.computes ?? []).map((compute) => ({
      ...compute,
      id: `${compute.id ?? ''}-twin`,
      ...(compute.branch === undefined ? {} : { branch: `${compute.branch}-twin` }),
    })),
  };
  const between = Array.from({ length: dice.below(3) }, (_, at) => ({
    id: `between-project-${at}`,
    name: `between-${at}`,
    created_at: OLD,
  }));
  const others = [...projects.slice(1), ...between];
  const all = dice.chance(0.5) ? [first, ...others, twin] : [twin, ...others, first];
  return { ...workload, yaml, world: { ...workload.world, projects: all }, twins: [name] };
}
