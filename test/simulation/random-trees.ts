// Seeded trees: the branches of a project with what lies on them, as they could be, and a file that wants something else of them.
import type { World } from '../../src/control-plane/index.ts';
import type { Dice } from './random-world.ts';
import type { Workload } from './world/workload.ts';

type Branch = NonNullable<NonNullable<World['projects']>[number]['branches']>[number];
type Allowances = NonNullable<Workload['allow']>;

export interface DrawnTree {
  readonly live: readonly Branch[];
  /** The section of the file. */
  readonly yaml: string;
  readonly allow: Allowances;
  readonly holds: readonly string[];
}

const ROLES = ['app', 'report', 'qa'] as const;
const DATABASES = ['orders', 'stock', 'log'] as const;

/** Some of a list, in its order. */
function some<T>(dice: Dice, list: readonly T[], probability: number): readonly T[] {
  return list.filter(() => dice.chance(probability));
}

interface Contents {
  readonly roles: string[];
  readonly databases: NonNullable<Branch['databases']>;
}

function drawContents(dice: Dice): Contents {
  const roles: string[] = ['app', ...some(dice, ROLES.slice(1), 0.4)];
  return { roles, databases: some(dice, DATABASES, 0.4).map((name) => ({ name, owner_name: dice.pick(roles) })) };
}

interface Wished {
  readonly entry: string;
  readonly allow: Allowances;
  readonly holds: readonly string[];
}

/** What the file says of the roles and databases of a branch that has, or will come with, `contents`. */
function wishOf(dice: Dice, address: string, { roles, databases }: Contents): Wished {
  const declared = some(dice, ROLES, 0.5);
  const owners = [...new Set([...roles, ...declared])];
  const gone: readonly string[] = databases.filter(() => dice.chance(0.15)).map(({ name }) => name);
  const kept: readonly string[] = some(dice, DATABASES, 0.5).filter((name) => !gone.includes(name));
  const renamed = databases.find(({ name }) => !gone.includes(name) && !kept.includes(name) && dice.chance(0.2));
  const isThere = (name: string): boolean => databases.some((one) => one.name === name);
  const lines = [
    ...kept.map((name) => `${name}: { owner: ${dice.pick(owners)}${isThere(name) ? '' : ', new: true'} }`),
    ...gone.map((name) => `${name}: { state: absent }`),
    ...(renamed === undefined ? [] : [`moved: { owner: ${dice.pick(owners)}, renamed_from: ${renamed.name} }`]),
  ];
  const drops = gone.map((name) => ({ address: `${address}/databases/${name}`, isLet: dice.chance(0.6) }));
  return {
    entry: [
      ...(declared.length === 0 ? [] : [`roles: { ${declared.map((name) => `${name}: {}`).join(', ')} }`]),
      ...(lines.length === 0 ? [] : [`databases: { ${lines.join(', ')} }`]),
    ].join(', '),
    allow: drops.flatMap(({ address: name, isLet }) => (isLet ? [{ action: 'drop', address: name }] : [])),
    holds: drops.flatMap(({ address: name, isLet }) => (isLet ? [] : [name])),
  };
}

/** Of a project with the label `label`; `live` are the branches that it has anyway, the default one first. */
export function drawTree(
  dice: Dice,
  label: string,
  names: readonly { readonly label: string; readonly id: string }[],
): DrawnTree {
  const of = (name: string): string => `${label}/branches/${name}`;
  const live: Branch[] = [];
  const lines: string[] = [];
  const allow: Allowances[number][] = [];
  const holds: string[] = [];
  const root = names[0]?.id ?? '';
  const write = (name: string, parts: readonly string[]): void => {
    lines.push(`      ${name}: { ${parts.filter((part) => part !== '').join(', ')} }`);
  };
  const take = (wish: Wished): string => {
    allow.push(...wish.allow);
    holds.push(...wish.holds);
    return wish.entry;
  };
  const first = drawContents(dice);
  // What comes with a branch that is made from one of these.
  const unwritten = new Map<string, Contents>();
  for (const [at, { label: name, id }] of names.entries()) {
    const contents = at === 0 ? first : drawContents(dice);
    const parent = at === 0 ? {} : { parent_id: dice.chance(0.7) ? root : (names[at - 1]?.id ?? root) };
    live.push({ id, name, ...parent, default: at === 0, created_at: '-40d', ...contents });
    const own = [
      dice.chance(0.3) ? `id: ${id}` : '',
      at === 0 && dice.chance(0.3) ? 'default: true' : '',
      dice.chance(0.15) ? 'protected: true' : '',
    ];
    const written = dice.chance(0.6) ? take(wishOf(dice, of(name), contents)) : '';
    if (written === '') unwritten.set(name, contents);
    write(name, [...own, written]);
  }
  drawNewcomers(dice, names, write, (name, from) => {
    const contents = unwritten.get(from);
    return contents === undefined || dice.chance(0.5) ? null : take(wishOf(dice, of(name), contents));
  });
  if (dice.chance(0.3)) {
    const isProtected = dice.chance(0.3);
    const isLet = dice.chance(0.6);
    const old = { name: 'old', parent_id: root, protected: isProtected };
    live.push({ id: `br-old-${label}`, ...old, created_at: '-30d', ...first });
    write('old', ['state: absent']);
    if (isLet) allow.push({ action: 'drop', address: of('old') });
    if (!isLet || isProtected) holds.push(of('old'));
  }
  live.push({ id: `br-theirs-${label}`, name: 'theirs', parent_id: root, created_at: '-30d', ...first });
  return { live, yaml: `    branches:\n${lines.join('\n')}\n`, allow, holds };
}

/** Up to two branches that are to be made, the second one perhaps from the first, with roles of their own or with what comes with them `changed`. */
function drawNewcomers(
  dice: Dice,
  names: readonly { readonly label: string }[],
  write: (name: string, parts: readonly string[]) => void,
  changed: (name: string, from: string) => string | null,
): void {
  const wanted = dice.pick([0, 1, 1, 2]);
  const parents = names.map(({ label }) => label);
  for (const name of ['fresh', 'later'].slice(0, wanted)) {
    const from = dice.pick(parents);
    const isLeaf = dice.chance(0.5);
    const inherited = changed(name, from);
    const roles = inherited === null ? some(dice, ['pat', 'sam'], 0.4) : [];
    write(name, [
      `from: ${from}, new: true`,
      isLeaf && dice.chance(0.6) ? `ttl: ${dice.pick(['7d', '14d'])}` : '',
      !isLeaf && dice.chance(0.2) ? 'protected: true' : '',
      roles.length === 0 ? '' : `roles: { ${roles.map((role) => `${role}: {}`).join(', ')} }`,
      roles.length === 0 || dice.chance(0.5) ? '' : `databases: { lab: { owner: ${roles[0] ?? ''} } }`,
      inherited ?? '',
    ]);
    if (!isLeaf) parents.push(name);
  }
}
