// What to do about a write that did not succeed: a table of what the step may repeat by what is known of the request.
import type { ApiFailure } from '../../client/failure.ts';
import type { FailureClass } from '../../client/types.ts';
import type { Repeat } from '../kind-remote.ts';

/**
 * `fail`: nothing was done, and the client has tried for as long as it may · `wait`: nothing was done; when the project is
 * quiet, send it again · `judge`: refused for good; the live world tells whether it was so already, has changed, or is a
 * true refusal · `settle`: it may have been done; look for evidence: what shows it done is believed, else `absent` counts.
 */
export type Remedy =
  | { readonly act: 'fail' | 'wait' | 'judge' }
  | {
      readonly act: 'settle';
      readonly absent: 'send_again' | 'unknown';
      /** How many times it may be sent in all. */
      readonly sends: number;
    };

type Settling = Extract<Remedy, { readonly act: 'settle' }>;

/** A row of the table. An answer that is unusable proves as little as none: both are settled by the same evidence. */
function row(absent: Settling['absent'], sends: number): Readonly<Record<FailureClass, Remedy>> {
  const settle: Settling = { act: 'settle', absent, sends };
  return {
    not_sent: { act: 'fail' },
    come_later: { act: 'wait' },
    refused: { act: 'judge' },
    ambiguous: settle,
    unusable: settle,
  };
}

/** The table, by what may be repeated. */
export const REMEDIES: Readonly<Record<Repeat, ReturnType<typeof row>>> = {
  // The place takes one: a second request is refused while the first one holds it.
  fenced: row('send_again', 3),
  // So does the name, below one parent.
  named: row('send_again', 3),
  // Nothing keeps a second one out.
  once: row('unknown', 1),
  converging: row('send_again', 2),
  // A second time does harm that no list shows.
  never: row('unknown', 1),
  // The value is shown once: what a lost reply made is useless, but nothing proves whose it is. It is sent again only where no new one shows.
  secret: row('send_again', 3),
};

/** What to do about a refusal that says why by its code or status; nothing where its words have to do. */
export function refusalHint({ code, status }: ApiFailure): string | undefined {
  if (code.endsWith('LIMIT_EXCEEDED'))
    return 'The subscription plan allows no more: delete a resource that is not needed, or upgrade the subscription plan.';
  if (status === 403)
    return 'The credential does not allow this: use another credential, or extend the rights of this one.';
  if (status === 402 || status === 412)
    return 'The service requires another change first, or the subscription plan does not allow this change.';
  return undefined;
}
