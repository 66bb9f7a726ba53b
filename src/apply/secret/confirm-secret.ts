// Whether a secret that is there was made by an earlier run of the same plan, which stored it in all its sinks.
import { digestOf } from '../../base/json.ts';
import type { ResourceId } from '../../model/desired.ts';
import type { Step } from '../../model/outcome/plan.ts';
import type { Run } from '../run/run.ts';

/** Why it is not, in words; null where every sink holds it. The journal answers for a sink that does not show which one it holds. */
export async function foreignSecret(run: Run, step: Step, id: ResourceId): Promise<string | null> {
  const sinks = run.use.openSinks(step);
  const states = await Promise.all(sinks.map(async (sink) => sink.check(run.use.signals.admission)));
  run.use.signals.admission.throwIfAborted();
  const isHeld = ({ state, holds }: (typeof states)[number]): boolean =>
    state === 'stored' && (holds?.['id'] ?? storedIn(run, step)) === id;
  if (states.length > 0 && states.every(isHeld)) return null;
  const broken = states.findIndex(({ state }) => state === 'broken');
  const why =
    broken === -1 ? '' : `; ${sinks[broken]?.label} does not show which key it holds: ${states[broken]?.reason}`;
  return `the resource ${id}, which the plan does not know, has the same name${why}`;
}

/** The id that earlier runs stored last for the address, in the same sinks. */
function storedIn({ known }: Run, { kind, address, options }: Step): unknown {
  const places = digestOf(options['secret']);
  const stored = known.earlier.findLast(
    (one) =>
      one['kind'] === kind && one['address'] === address && one['places'] === places && one['state'] === 'stored',
  );
  return stored?.['id'];
}
