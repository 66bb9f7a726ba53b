// Checks a draft before it is written: loads and plans it with the existing files, and removes values that a file cannot hold.
import { inert } from '../../../base/text/inert.ts';
import type { Diagnostic } from '../../../model/diagnostic.ts';
import type { LoadResult } from '../../../config/load.ts';
import { writtenFormOf } from '../../../config/kind-section.ts';
import type { DesiredState } from '../../../model/desired.ts';
import type { LiveState } from '../../../model/live.ts';
import { addressOf, type Address } from '../../../model/address.ts';
import { PROJECT } from '../../../model/kind.ts';
import type { Plan } from '../../../model/outcome/plan.ts';
import { leavingOut } from './entries.ts';
import type { Draft, DraftEntry, DraftScope } from './scope.ts';
import { planOf } from '../../../reconciler/reading/read.ts';

export interface CheckInput {
  readonly live: LiveState;
  readonly baseUrl: string;
  readonly nowMs: number;
  readonly load: (scopes: readonly DraftScope[]) => Promise<LoadResult>;
  readonly loadAlone: (scope: DraftScope) => Promise<LoadResult>;
}

export type Checked =
  { readonly draft: Draft; readonly remaining: readonly string[] } | { readonly refused: LoadResult };

/** The maximum number of rounds. Each round corrects the draft; a round that finds nothing to correct ends the check. */
const MOST_ROUNDS = 8;

export async function checkDraft(first: Draft, input: CheckInput): Promise<Checked> {
  let draft = first;
  for (let round = 0; ; round++) {
    const loaded = await input.load(draft.scopes);
    if (loaded.desired === null) {
      const next = round < MOST_ROUNDS ? await withoutRefused(draft, loaded.diagnostics, input) : null;
      if (next === null) return { refused: loaded };
      draft = next;
      continue;
    }
    const remaining = unsettled(draft, planAfter(loaded.desired, input));
    const next = remaining.size === 0 ? draft : withoutProfiles(draft, remaining);
    if (next === draft || round >= MOST_ROUNDS) return { draft, remaining: [...remaining].sort() };
    draft = next;
  }
}

function planAfter(desired: DesiredState, { live, baseUrl, nowMs }: CheckInput): Plan {
  const labels = new Map(desired.projects.flatMap(({ id, label }) => (id === null ? [] : [[id, label] as const])));
  const names = new Map(desired.projects.map(({ name, id, label }) => [id === null ? name : '', label]));
  const projects = live.projects.map((project) => ({
    ...project,
    label: labels.get(project.id) ?? names.get(project.name) ?? project.label,
  }));
  return planOf({ desired, live: { ...live, projects }, baseUrl, nowMs });
}

function unsettled({ scopes }: Draft, { changes }: Plan): ReadonlySet<string> {
  const own = new Set(scopes.flatMap(({ entries }) => entries.map(({ address }) => address)));
  return new Set(changes.flatMap(({ address, action }) => (own.has(address) && action !== 'none' ? [address] : [])));
}

/** Adds `use: null` (no profile) to these entries, because a profile of their project may be why a plan would change them. */
function withoutProfiles(draft: Draft, addresses: ReadonlySet<string>): Draft {
  const isMeant = ({ address, kind, identity }: DraftEntry): boolean =>
    addresses.has(address) && writtenFormOf(kind).profile !== null && identity['use'] !== null;
  if (!draft.scopes.some(({ entries }) => entries.some(isMeant))) return draft;
  const without = (entry: DraftEntry): DraftEntry =>
    isMeant(entry) ? { ...entry, identity: { ...entry.identity, use: null } } : entry;
  return { ...draft, scopes: draft.scopes.map((scope) => ({ ...scope, entries: scope.entries.map(without) })) };
}

/** The draft without attributes or entries that a file cannot hold; null if the errors have another cause. */
async function withoutRefused(
  draft: Draft,
  diagnostics: readonly Diagnostic[],
  { loadAlone }: CheckInput,
): Promise<Draft | null> {
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  const reasons = new Map(
    errors.flatMap(({ address, message }) => (address === undefined ? [] : [[address, message] as const])),
  );
  // Some texts are refused before their entry is known, so their error has no address and any entry may contain them.
  const isAnybodys = errors.some(({ address }) => address === undefined);
  const warnings: Diagnostic[] = [];
  const scopes: DraftScope[] = [];
  for (const scope of draft.scopes) {
    const entries: DraftEntry[] = [];
    const dropped: Address[] = [];
    for (const entry of scope.entries) {
      const { address } = entry;
      const reason = reasons.get(address) ?? null;
      const isSuspect = reason !== null || isAnybodys;
      const above = dropped.find((one) => address.startsWith(`${one}/`));
      const kept =
        above === undefined
          ? await (isSuspect ? reduced(entry, reason, scope, loadAlone, warnings) : entry)
          : leaveOut(entry, `${above} is left out`, warnings);
      if (kept === null) dropped.push(address);
      else entries.push(kept);
    }
    if (entries.length > 0) scopes.push({ ...scope, entries });
  }
  return warnings.length === 0 ? null : { scopes, warnings: [...draft.warnings, ...warnings] };
}

/** Removes each attribute with an error of its own. Returns null if none has one, but the whole entry is refused (`reason`). */
async function reduced(
  entry: DraftEntry,
  reason: string | null,
  scope: DraftScope,
  loadAlone: CheckInput['loadAlone'],
  warnings: Diagnostic[],
): Promise<DraftEntry | null> {
  const { kind, address } = entry;
  const members = Object.entries(entry.attributes);
  const kept: typeof members = [];
  const { id } = entry.identity;
  // Without its references, the entry can be loaded alone, and every error comes from the attribute.
  const identity = id === undefined ? entry.identity : { id };
  for (const [name, value] of members) {
    const alone = await loadAlone({ ...scope, entries: [{ ...entry, identity, attributes: { [name]: value } }] });
    const problem = alone.diagnostics.find((one) => one.severity === 'error' && (one.address ?? address) === address);
    if (problem === undefined) kept.push([name, value]);
    else warnings.push(leavingOut(address, `${name} of ${address}`, problem.message));
  }
  if (kept.length < members.length) return { ...entry, attributes: Object.fromEntries(kept) };
  if (reason === null) return entry;
  if (kind.kind !== PROJECT) return leaveOut(entry, reason, warnings);
  // The other keys and the contents of a project do not need the values for its creation.
  for (const name of Object.keys(entry.identity)) warnings.push(leavingOut(address, `${name} of ${address}`, reason));
  return { ...entry, identity: {} };
}

function leaveOut({ address, identity, label }: DraftEntry, reason: string, warnings: Diagnostic[]): null {
  const id = String(identity['id'] ?? label);
  const above = address.slice(0, address.lastIndexOf('/'));
  warnings.push(leavingOut(addressOf(above, id), inert(id, 80), reason));
  return null;
}
