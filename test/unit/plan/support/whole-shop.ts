// A shop with branches and all that is in them, planned from a file by all real kinds.
import { kinds } from '../../../../src/kinds/index.ts';
import type { JsonObject } from '../../../../src/base/json.ts';
import type { SafetyLimits } from '../../../../src/model/desired.ts';
import type { LiveProject, LiveResource, Unread } from '../../../../src/model/live.ts';
import type { Change, Plan } from '../../../../src/model/outcome/plan.ts';
import type { PlanInput } from '../../../../src/plan/input.ts';
import { makePlan } from '../../../../src/plan/make-plan.ts';
import { desiredOf } from '../../../support/files.ts';
import { allowing, bareInput, NO_LIMITS, NOW_MS } from './world.ts';

/** A live resource of the project. */
export function living(
  kind: string,
  id: string,
  spec: JsonObject = {},
  more: Partial<LiveResource> = {},
): LiveResource {
  return { kind, id, projectId: 'shop-1', spec, observed: {}, createdAtMs: 0, ...more };
}

/** By default a child of main that is a month old, or as many days as `days` says. */
export function branch(
  name: string,
  spec: JsonObject = {},
  { days = 30, ...more }: Partial<LiveResource> & { readonly days?: number } = {},
): LiveResource {
  const usual = { name, parent_id: 'br-main', default: false, protected: false };
  const facts = { observed: { current_state: 'ready' }, createdAtMs: NOW_MS - days * 86_400_000 };
  return living('branch', `br-${name.replaceAll('/', '-')}`, { ...usual, ...spec }, { ...facts, ...more });
}

/** The default branch, which always lives. */
export const MAIN: LiveResource = branch('main', { parent_id: null, default: true, protected: true }, { days: 99 });

export function compute(on: string, id: string, spec: JsonObject = {}, observed: JsonObject = {}): LiveResource {
  const usual = { branch_id: `br-${on}`, type: 'read_write' };
  return living('compute', id, { ...usual, ...spec }, { observed: { current_state: 'idle', ...observed } });
}

const below = (kind: string, on: string, name: string, spec: JsonObject): LiveResource =>
  living(kind, `br-${on}/${name}`, { name, ...spec }, { parentId: `br-${on}` });
export const role = (on: string, name: string): LiveResource => below('role', on, name, { no_login: false });
export const database = (on: string, name: string, owner: string): LiveResource =>
  below('database', on, name, { owner });
export const permission = (email: string, id: string = `perm-${email}`): LiveResource =>
  living('project_permission', id, { email });
export const apiKey = (id: string, name: string): LiveResource => living('api_key', id, { name }, { projectId: null });

/** Another project of the account, of which no file says anything. */
const UNDECLARED: LiveProject = { label: 'blog-1', id: 'blog-1', name: 'blog' };

export interface Shop extends Partial<Omit<PlanInput, 'desired' | 'live' | 'allow'>> {
  /** What the project has below `branches`, and its other keys. */
  readonly branches?: string;
  readonly beside?: string;
  /** The entry of the project, in braces, instead of those two. */
  readonly entry?: string;
  /** More lines of the file. */
  readonly lines?: string;
  readonly live?: readonly LiveResource[];
  readonly safety?: readonly Partial<SafetyLimits>[];
  readonly allow?: readonly string[];
  /** What a reviewed plan allows. */
  readonly byReview?: readonly string[];
  readonly project?: Partial<LiveProject>;
  /** Branches that were deleted, and can be recovered. */
  readonly gone?: readonly JsonObject[];
  readonly unread?: readonly Unread[];
}

export async function inputOfShop({
  branches = '',
  beside = '',
  entry = `{ branches: { ${branches} }, ${beside} }`,
  lines = '',
  live = [],
  safety = [],
  allow = [],
  byReview = [],
  project,
  gone = [],
  unread = [],
  ...more
}: Shop): Promise<PlanInput> {
  const desired = await desiredOf(`version: 1\nprojects: { shop: ${entry} }\n${lines}`);
  return bareInput({
    desired: { ...desired, safety: safety.map((block) => ({ ...NO_LIMITS, ...block })) },
    live: {
      projects: [{ label: 'shop', id: 'shop-1', name: 'shop', ...project }, UNDECLARED],
      resources: [MAIN, ...live],
      facts: new Map<string, JsonObject>([
        ['branch', { gone }],
        ['api_key', { sinks: {}, self: '1', self_sure: true, leftovers: {} }],
      ]),
      unread,
    },
    kinds,
    noHistory: true,
    allow: [
      ...allowing(...allow).allow,
      ...allowing(...byReview).allow.map((one) => ({ ...one, byReview: true as const })),
    ],
    ...more,
  });
}

export async function planOfShop(shop: Shop): Promise<Plan> {
  return makePlan(await inputOfShop(shop));
}

/** The only change of this address or, with an action, the only one that does this. */
export function changeOf({ changes }: Plan, address: string, action?: Change['action']): Change {
  const found = changes.filter((one) => one.address === address && one.action === (action ?? one.action));
  const [change] = found;
  if (change === undefined || found.length > 1) throw new Error(`${found.length} changes of ${address}`);
  return change;
}

/** `action b br-a`: what becomes of each address below `shop/branches/` and of which live resource, in order of address. */
export function actionsIn({ changes }: Plan): readonly string[] {
  return changes.map(({ action, address, resourceId }) =>
    [action, address.replace('shop/branches/', ''), ...(resourceId === null ? [] : [resourceId])].join(' '),
  );
}

/** `code address: message (hint)`, for each error. */
export function errorsIn({ diagnostics }: Plan): readonly string[] {
  return diagnostics.flatMap(({ severity, code, address = '', message, hint = '' }) =>
    severity === 'error' ? [`${code} ${address.replace('shop/branches/', '')}: ${message} (${hint})`] : [],
  );
}
