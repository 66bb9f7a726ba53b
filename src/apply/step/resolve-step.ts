// A step whose references are known: what earlier steps of the run made stands where the plan could only name it.
import type { Address } from '../../model/address.ts';
import type { ResourceId } from '../../model/desired.ts';
import type { Expectation, Pool, Step } from '../../model/outcome/plan.ts';
import { holdsReference, placeholdersIn, resolveIn, resolveText } from '../../model/reference.ts';
import type { Known } from '../../model/reference.ts';

/** What the steps of a run have made, or found made, by address. */
export type MadeIds = ReadonlyMap<Address, ResourceId>;

/** The step with every id that is known; the very same where it waits for none. */
export function resolveStep(step: Step, made: MadeIds): Step {
  if (!isOpen(step)) return step;
  const known: Known = ({ ref, field }) => (field === 'id' ? made.get(ref) : undefined);
  const idOf = (address: Address): ResourceId | undefined => made.get(address);
  const { parentId, path, body, achieves, expects } = step;
  return {
    ...step,
    ...(parentId === undefined ? {} : { parentId: resolveText(parentId, idOf) }),
    path: resolveText(path, (address) => encoded(made.get(address))),
    body: body === null ? null : resolveIn(body, known),
    achieves: achieves === null ? null : resolveIn(achieves, known),
    expects: resolvedExpectation(expects, known, idOf),
  };
}

/** True while something of the step is not known. */
export function isOpen({ parentId = '', path, body, achieves, expects }: Step): boolean {
  const id = expects.state === 'present' ? expects.id : '';
  const texts = [parentId, path, id].flatMap(placeholdersIn).length;
  return texts > 0 || [body, achieves, expects.joins?.where].some(holdsReference);
}

function resolvedExpectation(
  expects: Expectation,
  known: Known,
  idOf: (address: Address) => ResourceId | undefined,
): Expectation {
  if (expects.state === 'absent') return { ...expects, joins: resolvedPool(expects.joins, known) };
  const { id, joins } = expects;
  return { ...expects, id: resolveText(id, idOf), joins: joins === null ? null : resolvedPool(joins, known) };
}

function resolvedPool(pool: Pool, known: Known): Pool {
  return { ...pool, where: resolveIn(pool.where, known) };
}

/** An id is whatever the service says: in a path it is one segment, and leads nowhere else. */
function encoded(id: ResourceId | undefined): string | undefined {
  return id === undefined || /^\.*$/.test(id) ? undefined : encodeURIComponent(id);
}
