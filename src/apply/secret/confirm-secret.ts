// Whether what stands where a secret was to be made is what an earlier run made by the same plan, with its secret kept.
import { digestOf } from '../../base/json.ts';
import type { Step } from '../../model/outcome/plan.ts';
import type { Assessment } from '../judge/assess.ts';
import type { Run } from '../run/run.ts';

/**
 * What stands there counts as ours only if every place holds its secret. Of a place that holds one and does not tell which, the journal knows:
 * an earlier run of this folder made that very resource for the address, and stored its secret in all of these places.
 */
export async function confirmSecret(run: Run, step: Step, verdict: Assessment): Promise<Assessment> {
  if (verdict.state !== 'satisfied') return verdict;
  const { id } = verdict;
  const places = run.use.openSinks(step);
  const states = await Promise.all(places.map(async (sink) => sink.check(run.use.signals.admission)));
  run.use.signals.admission.throwIfAborted();
  const isOurs =
    states.length > 0 &&
    states.every(({ state, holds }) => state === 'stored' && (holds?.['id'] ?? storedIn(run, step)) === id);
  if (isOurs) return verdict;
  const broken = states.findIndex(({ state }) => state === 'broken');
  const why =
    broken === -1 ? '' : `; ${places[broken]?.label} does not show which key it holds: ${states[broken]?.reason}`;
  return { state: 'stale', reason: `the resource ${id}, which the plan does not know, has the same name${why}` };
}

/** The id of what earlier runs made for the address last, where they stored its secret in the places of the step. */
function storedIn({ known }: Run, { kind, address, options }: Step): unknown {
  const places = digestOf(options['secret']);
  const stored = known.earlier.findLast(
    (one) =>
      one['kind'] === kind && one['address'] === address && one['places'] === places && one['state'] === 'stored',
  );
  return stored?.['id'];
}
