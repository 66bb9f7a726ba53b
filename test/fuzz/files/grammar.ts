// Desired states drawn from the schema: mostly valid, with what people, templates and other tools get wrong.
import { readFileSync } from 'node:fs';
import type { Draw } from '../draw.ts';

interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly patternProperties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly $defs?: Readonly<Record<string, Schema>>;
  readonly 'x-trueup'?: { readonly refused?: Readonly<Record<string, string>> };
}

const path = new URL('../../../schemas/desired-state.schema.json', import.meta.url);
const ROOT = JSON.parse(readFileSync(path, 'utf8')) as Schema;

/** A value of the grammar; texts are drawn by what they name. */
export type Drawn = null | boolean | number | string | readonly Drawn[] | { readonly [key: string]: Drawn };

/** What fits each pattern, and what nearly does. */
const TEXTS: Readonly<Record<string, readonly string[]>> = {
  BaseUrl: ['https://console.example.com/api/v2', 'http://localhost', 'ftp://x', 'https://u:p@x/', 'https://x?y', ''],
  ProjectId: ['spring-example-302709', 'calm-lake-100001', '..', 'A', 'a/b', 'x'.repeat(61)],
  BranchId: ['br-main-1', 'br-dev-2', 'br-', 'main', 'BR-main-1', 'br-a/b'],
  BranchName: ['main', 'dev', 'br-main-1', 'nowhere', 'ma in', ''],
  UnmanagedId: ['ep-quiet-hill-000001', 'br-main-1', 'quiet'],
  ApiName: ['shop', 'Café 漢', ' shop', 'x'.repeat(257), 'a\tb'],
  ProfileName: ['small', 'large', 'nobody', '-'],
  ProfileUse: ['small', 'large', 'nobody'],
  ProjectUse: ['small', 'nobody'],
  Duration: ['5m', '300s', '0', '7d', '1.5h', '5 minutes', '-5', '999999999999d', 'P7D'],
  Time: ['2026-11-20T00:00:00Z', '2026-11-20', '2026-02-30', '2026-11-20 00:00+02', 'tomorrow', '9999-12-31T23:59:60Z'],
  AttributePath: 'autoscaling_limit_max_cu settings.pg_settings.work_mem branch_id nothing . a..b *'.split(' '),
  AddressGlob: ['shop/primary', '*/primary', '**', '?', 'a/b/c', 'x'],
  Window: ['Sun 02:00-04:00 Europe/Berlin', '22:00-02:00', 'Mon-Fri 09:00-17:00 UTC', 'Sun 25:00-26:00', 'Sun', 'x'],
  ApiKeyName: ['ci', 'ci deploy', 'k'.repeat(65)],
  ApiKeyId: ['165432', '9007199254740993', '01', 'abc'],
  SinkFile: ['ci.json', 'a/b/ci.json', '../ci.json', '/etc/passwd', '~/x', 'CI.json'],
  SinkName: ['vault', 'other', 'va ult'],
  LibraryName: ['pg_stat_statements', ''],
  ComputeId: ['ep-cool-darkness-123456', 'ep-a-1', 'ep-', 'cool'],
};
/** Those of every state, and those that are no labels or need quotes. */
const COMMON_LABELS = 'shop lab primary reports small main dev ci work_mem'.split(' ');
const LABELS = [...COMMON_LABELS, 'a b', '', '__proto__', '1', 'Shop'];
const ANY_TEXT = ['x', '', ' ', '{{ x }}', ...'true null 0x10 1e3 .inf no ~ ${var:size} ${var:} ${HOME}'.split(' ')];
const ANY: readonly Drawn[] = [null, true, 0, -1, 0.3, 1e21, 1e16, 'x', '', [], {}, [[]], { a: { b: [null] } }];
const NUMBERS = [0, 0.25, 0.5, 1, 2, 4, 8, 10, 16, 17, 300, -1, 0.3, 1e9, 2026, 165_432];

/** A desired state. `wrong` is how often something does not fit. */
export function drawState(draw: Draw, wrong: number): Drawn {
  const state = drawBy(ROOT, 'File', { draw, wrong, depth: 0 });
  return isMap(state) && !draw.chance(wrong * 5) ? coherent(state) : state;
}

function isMap(value: Drawn | undefined): value is { readonly [key: string]: Drawn } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The state with what its parts name: profiles, branches, the account that pruning asks for. */
function coherent(state: { readonly [key: string]: Drawn }): Drawn {
  const { profiles, projects = null } = state;
  const branches = { main: 'br-main-1', dev: 'br-dev-2' };
  const named = (label: string, project: Drawn): Drawn =>
    isMap(project) ? { ...project, branches, name: `${label} here`, id: `p-${label.toLowerCase()}` } : project;
  return {
    ...state,
    expect: { has_project: 'p-shop' },
    profiles: { small: {}, large: { disabled: false }, ...(isMap(profiles) ? profiles : {}) },
    projects: isMap(projects)
      ? Object.fromEntries(Object.entries(projects).map(([label, project]) => [label, named(label, project)]))
      : projects,
  };
}

interface Drawing {
  readonly draw: Draw;
  readonly wrong: number;
  readonly depth: number;
}

function drawBy(schema: Schema, name: string, drawing: Drawing): Drawn {
  const { draw, wrong } = drawing;
  if (draw.chance(wrong)) return draw.pick([...ANY, ...ANY_TEXT]);
  if (schema.$ref !== undefined) {
    const target = schema.$ref.slice(schema.$ref.lastIndexOf('/') + 1);
    return drawBy(ROOT.$defs?.[target] ?? {}, target, drawing);
  }
  if (schema.const !== undefined) return schema.const as Drawn;
  if (schema.enum !== undefined) return draw.pick(schema.enum) as Drawn;
  const types = [schema.type ?? 'string'].flat();
  switch (draw.pick(types)) {
    case 'object':
      return drawObject(schema, drawing);
    case 'array':
      return Array.from({ length: draw.below(4) }, () => drawBy(schema.items ?? {}, name, deeper(drawing)));
    case 'boolean':
      return draw.chance(0.5);
    case 'integer':
    case 'number':
      return draw.pick(NUMBERS);
    case 'null':
      return null;
    default:
      return drawText(name, draw, wrong);
  }
}

/** The first texts of a list fit; the further ones are drawn as rarely as anything wrong. */
function drawText(name: string, draw: Draw, wrong: number): string {
  const texts = TEXTS[name] ?? ANY_TEXT;
  return draw.chance(wrong * 4) ? draw.pick(texts) : draw.pick(texts.slice(0, 2));
}

function deeper(drawing: Drawing): Drawing {
  return { ...drawing, depth: drawing.depth + 1 };
}

function drawObject(schema: Schema, drawing: Drawing): Drawn {
  const { draw, wrong, depth } = drawing;
  const members: [string, Drawn][] = [];
  for (const [name, inner] of Object.entries(schema.properties ?? {}))
    if (schema.required?.includes(name) === true ? !draw.chance(wrong) : draw.chance(depth < 3 ? 0.5 : 0.3))
      members.push([name, drawBy(inner, name, deeper(drawing))]);
  for (const inner of Object.values(schema.patternProperties ?? {}))
    for (let count = draw.below(4); count > 0; count--)
      members.push([draw.pick(draw.chance(wrong) ? LABELS : COMMON_LABELS), drawBy(inner, '', deeper(drawing))]);
  const refused = Object.keys(schema['x-trueup']?.refused ?? {});
  if (draw.chance(wrong)) members.push([draw.pick([...refused, ...LABELS]), draw.pick(ANY)]);
  return Object.fromEntries(members);
}
