// A compute that says what the one before it says, but for its branch and its id: what that one means needs no second look.
import type { JsonObject } from '../../base/json.ts';
import type { Entry, EntryMeaning, ReadEntry } from '../../config/kind-section.ts';
import { branchIdOf } from './section-branches.ts';

/** Exactly what the whole way gives; null where that may be something else. */
export function meaningLike({ name, value, project }: Entry, before: ReadEntry): EntryMeaning | null {
  const { meaning } = before;
  if (meaning.problems.length > 0 || meaning.movedFrom !== null || meaning.via !== null) return null;
  if (name.startsWith('ep-') || !saysTheSame(value, before.value)) return null;
  const { branch } = value;
  const branchId = typeof branch === 'string' ? branchIdOf(branch, project) : value['branch_id'];
  if (typeof branchId !== 'string') return null;
  return { ...meaning, spec: { ...meaning.spec, branch_id: branchId } };
}

/** Values that many entries share are the same object, so that no look inside is needed to know most of those that are alike. */
function saysTheSame(value: JsonObject, before: JsonObject): boolean {
  let count = 0;
  for (const name in value) {
    count++;
    if (value[name] === before[name]) continue;
    const mayDiffer = name === 'branch' || name === 'branch_id' || name === 'id';
    if (!mayDiffer || typeof value[name] !== 'string' || typeof before[name] !== 'string') return false;
  }
  for (const name in before) if (Object.hasOwn(before, name)) count--;
  return count === 0;
}
