// Takes only names and ids from a Terraform state, because the rest of the state may have secrets.
import { inert } from '../../../base/text/inert.ts';
import { arrayOf, isJsonObject, parseJson, type Json, type JsonObject } from '../../../base/json.ts';
import { maskSecrets } from '../../../config/yaml/show.ts';
import { UsageError } from '../../process/exit-code.ts';

export interface StateName {
  readonly id: string;
  /** The address in Terraform, safe to print: `module.shop.neon_endpoint.primary[0]`. */
  readonly address: string;
  /** The resource's name, then its instance key. The number of a single instance is omitted. */
  readonly own: readonly string[];
  /** The surrounding modules with their keys, outermost first. */
  readonly outer: readonly string[];
}

/** The format version of states since Terraform 0.12, and of OpenTofu. */
const VERSION = 4;
/** Resource types for this service, whoever publishes the Terraform provider. */
const PROJECT = 'neon_project';
const TYPE = /^neon_[a-z0-9_]{1,60}$/;
const ID = /^[a-z0-9][a-z0-9-]{0,59}$/;
const PULL = 'Give the state itself: terraform state pull | trueup import --from-terraform -';

/** The names in a state, and the number of unreadable entries (`odd`). Throws UsageError, which never quotes the state. */
export function readState(text: string, shown: string): { readonly names: readonly StateName[]; readonly odd: number } {
  const state = parsed(text, shown);
  if (isJsonObject(state['values']) || isJsonObject(state['planned_values']))
    throw new UsageError(`${shown} is the output of terraform show, not a state`, PULL);
  if ('encrypted_data' in state)
    throw new UsageError(`${shown} is encrypted`, 'Decrypt it: tofu state pull | trueup import --from-terraform -');
  const { version, resources } = state;
  if (typeof version !== 'number') throw new UsageError(`${shown} is not a Terraform state`, PULL);
  if (version !== VERSION)
    throw new UsageError(
      `${shown} has state format ${version}, and trueup reads format ${VERSION}`,
      version < VERSION
        ? 'Convert it with Terraform 0.12 or later: terraform state pull'
        : 'A newer version of trueup may be able to read this state. Without --from-terraform, resources get generated names.',
    );
  if (!Array.isArray(resources)) throw new UsageError(`${shown} lists no resources`, PULL);
  const names: StateName[] = [];
  let odd = 0;
  for (const resource of resources as readonly Json[]) {
    const found = isJsonObject(resource) ? namesOf(resource) : null;
    if (found === null) odd += 1;
    else for (const one of found) names.push(one);
  }
  return { names, odd };
}

function parsed(text: string, shown: string): JsonObject {
  let value: Json;
  try {
    value = parseJson(text);
  } catch {
    throw new UsageError(`${shown} is not JSON, or is cut off`, PULL);
  }
  if (!isJsonObject(value)) throw new UsageError(`${shown} is not a Terraform state`, PULL);
  return value;
}

/** The names in a state entry; null for an unknown form. Data sources, deposed instances and other types have none. */
function namesOf({ mode, type, name, module, instances }: JsonObject): readonly StateName[] | null {
  if (typeof type !== 'string' || typeof name !== 'string' || !Array.isArray(instances)) return null;
  if (mode !== 'managed' || !TYPE.test(type)) return [];
  if (module !== undefined && typeof module !== 'string') return null;
  const all = instances as readonly Json[];
  const outer = moduleWords(module ?? '');
  const names: StateName[] = [];
  for (const instance of all) {
    const attributes = isJsonObject(instance) ? (instance['attributes'] ?? instance['attributes_flat']) : null;
    if (!isJsonObject(instance) || !isJsonObject(attributes)) return null;
    const key = instance['index_key'];
    if ('deposed' in instance) continue;
    const address = addressOf(module ?? '', `${type}.${name}`, key);
    const own = [name, ...keyWords(key, all.length)];
    const id = idOf(attributes['id']);
    if (id !== null) names.push({ id, address, own, outer });
    if (type === PROJECT) names.push(...defaultBranch(attributes, { address, outer }));
  }
  return names;
}

function idOf(value: Json | undefined): string | null {
  return typeof value === 'string' && ID.test(value) ? value : null;
}

/** The name of a project's first branch, which the state keeps inside the project's resource. */
function defaultBranch(
  attributes: JsonObject,
  { address, outer }: Pick<StateName, 'address' | 'outer'>,
): readonly StateName[] {
  const [block] = arrayOf(attributes['branch']);
  if (!isJsonObject(block)) return [];
  const id = idOf(block['id']) ?? idOf(attributes['default_branch_id']);
  const name = block['name'];
  if (id === null || typeof name !== 'string') return [];
  return [{ id, address: `${address}.branch`, own: [name], outer }];
}

/** The words for an instance key. A number says nothing if the resource has only one instance. */
function keyWords(key: Json | undefined, count: number): readonly string[] {
  if (typeof key === 'string') return [key];
  return typeof key === 'number' && count > 1 ? [String(key)] : [];
}

/** Turns `module.reader["eu"].module.part[0]` into `reader`, `eu`, `part`, `0`. */
function moduleWords(module: string): readonly string[] {
  const parts = module.matchAll(/module\.([\w-]+)(?:\["((?:[^"\\]|\\.)*)"\]|\[(\d+)\])?/g);
  return [...parts]
    .flatMap(([, name = '', text, number]) => [name, text ?? number ?? ''])
    .filter((word) => word !== '');
}

function addressOf(module: string, resource: string, key: Json | undefined): string {
  const index = typeof key === 'string' || typeof key === 'number' ? `[${JSON.stringify(key)}]` : '';
  return inert(maskSecrets(`${module === '' ? '' : `${module}.`}${resource}${index}`), 120);
}
