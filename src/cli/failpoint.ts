// A failpoint: the moment of a run at which a test has the process end as by `kill -9`. Without its variable there is none.
import { RUN_POINTS } from '../apply/run-points.ts';
import type { ReconcilerOptions } from '../reconciler/types.ts';
import type { Io } from './io.ts';
import { UsageError } from './usage-error.ts';

const VARIABLE = 'TRUEUP_FAILPOINT';

/** What `TRUEUP_FAILPOINT=NAME[:N]` asks for: the N-th (else the first) time that an apply passes NAME. Throws UsageError for an unknown name. */
export function failpointOf(io: Pick<Io, 'env' | 'die'>): Pick<ReconcilerOptions, 'onPoint'> {
  const wanted = io.env[VARIABLE];
  if (wanted === undefined || wanted === '') return {};
  const [, name = '', count = '1'] = /^([a-z]+)(?::([1-9]\d{0,5}))?$/.exec(wanted) ?? [];
  if (!Object.hasOwn(RUN_POINTS, name))
    throw new UsageError(`${VARIABLE} takes NAME or NAME:N`, `The names: ${Object.keys(RUN_POINTS).join(', ')}.`);
  let left = Number(count);
  return {
    onPoint: (point) => {
      if (point === name && --left === 0) io.die();
    },
  };
}
