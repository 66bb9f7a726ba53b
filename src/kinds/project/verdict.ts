// Blocks project changes and deletions that the service would refuse, and names what is deleted with a project.
import { arrayOf, jsonEqual, type JsonObject } from '../../base/json.ts';
import { listed } from '../../base/picked.ts';
import { valueAt } from '../../model/values.ts';
import { errorAt, type DesiredResource } from '../../model/desired.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { Contents } from '../../model/live.ts';
import type { Block } from '../../model/outcome/plan.ts';
import type { KindRules } from '../../plan/kind-rules.ts';
import type { Judge } from '../define.ts';
import { keptBy, lastUseOf, namedWords, ofKind, protection, stakeOf } from '../shared/effects.ts';
import { vanishedWords } from '../shared/vanished.ts';
import { canonical, FOR_GOOD_ONCE_ON } from './attributes.ts';

export const projectVerdict: Judge = ({ desired, live, context: { facts } }) => {
  const { spec, pin, options, absent } = desired;
  const gone = { pin, names: [options['name']], isHere: () => true, pathOf: (id: string) => `/projects/${id}` };
  const refused = turnedBack(spec, live?.spec ?? {});
  return {
    notes: refused,
    blockedBy: listed<Block>(refused.length > 0 && 'refused'),
    diagnostics: live === null && !absent ? elsewhere(desired, facts) : [],
    vanished: live === null ? vanishedWords(facts['gone'], gone) : null,
  };
};

/** Returns the error for a project in an organization that this run does not list: every run would create the project again. */
function elsewhere(desired: DesiredResource, { org_id: ours, elsewhere: others }: JsonObject): readonly Diagnostic[] {
  const { address, options, spec } = desired;
  const { org_id: org } = spec;
  const isThere = arrayOf(others).some((one) => jsonEqual(one, { org_id: org ?? null, name: options['name'] ?? null }));
  if (typeof org !== 'string' || (typeof ours === 'string' ? ours === org : !isThere)) return [];
  const message =
    typeof ours === 'string'
      ? `${address} is declared in ${org}, but this run lists the projects of ${ours}`
      : `${org} has a project named ${JSON.stringify(options['name'])}, but this run does not list the projects there`;
  const hint = `Pass --org-id ${org}, or correct create.org_id.`;
  return [errorAt(desired, 'org_id', 'other_organization', message, hint)];
}

function turnedBack(desired: JsonObject, live: JsonObject): readonly string[] {
  return Object.entries(FOR_GOOD_ONCE_ON).flatMap(([path, off]) => {
    const segments = path.split('.');
    if (valueAt(desired, segments) !== off || canonical(path, valueAt(live, segments)) === off) return [];
    return [`${path} cannot be reverted: remove it from the file, or write the live value`];
  });
}

/** The service deletes no project with a protected branch ("Projects"). */
export const removalGuard: NonNullable<KindRules['removalGuard']> = (_live, { around }) =>
  keptBy(
    [true, null].flatMap((isSo) => {
      const branches = ofKind(around, 'branch').filter(({ spec }) => (spec['protected'] ?? null) === isSo);
      const names = branches.map(({ spec }) => String(spec['name']));
      return namedWords('branch', 'branches', names).map((words) =>
        protection(isSo, words, names.length === 1 ? 'is' : 'are'),
      );
    }),
  );

export const contents: Contents = {
  kinds: ['branch', 'compute', 'role', 'database'],
  of: (_live, around) => around.filter(({ kind }) => contents.kinds.includes(kind)),
  stake: (_live, around) => stakeOf(ofKind(around, 'compute'), ofKind(around, 'branch')),
  lastUse: (_live, around) => lastUseOf(ofKind(around, 'compute')),
};
