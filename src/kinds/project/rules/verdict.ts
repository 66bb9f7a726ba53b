// What the service would refuse of a wish for a project, as things stand.
import type { Json, JsonObject } from '../../../base/json.ts';
import { listOf } from '../../../base/text/words.ts';
import { valueAt } from '../../../model/paths.ts';
import type { KindRules } from '../../../plan/kind-rules.ts';
import { canonical } from './canonical.ts';

export const projectVerdict: KindRules['verdict'] = ({ desired: { spec }, live }) => {
  const notes = [...turnedBack(spec, live?.spec ?? {}), ...unfinished(spec, live?.spec ?? {})];
  return { intents: [], notes, diagnostics: [], blockedBy: notes.length === 0 ? [] : ['refused'] };
};

/** What is on for good, and what it would be turned back to. */
const FOR_GOOD_ONCE_ON: readonly (readonly [path: string, off: Json])[] = [
  ['settings.enable_logical_replication', false],
  ['settings.hipaa', false],
  ['settings.audit_log_level', 'base'],
];

function turnedBack(wish: JsonObject, live: JsonObject): readonly string[] {
  return FOR_GOOD_ONCE_ON.flatMap(([path, off]) => {
    const segments = path.split('.');
    if (valueAt(wish, segments) !== off || canonical(path, valueAt(live, segments)) === off) return [];
    return [`${path} cannot be turned back: leave it out, or write what is`];
  });
}

const WINDOW = ['settings', 'maintenance_window'];
const WINDOW_MEMBERS = ['weekdays', 'start_time', 'end_time'];

/** A window is sent whole: what nobody wrote of it must be there. */
function unfinished(wish: JsonObject, live: JsonObject): readonly string[] {
  if (valueAt(wish, WINDOW) === undefined) return [];
  const missing = WINDOW_MEMBERS.filter((member) =>
    [wish, live].every((spec) => (valueAt(spec, [...WINDOW, member]) ?? null) === null),
  );
  if (missing.length === 0) return [];
  return [`settings.maintenance_window has no ${listOf(missing)}: write that as well`];
}
