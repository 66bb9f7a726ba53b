// The named moments of a run at which a test may end the process, in the order in which a run passes them.

/** What has happened at each, and what has not. */
export const RUN_POINTS = {
  approved: 'the plan is approved; nothing is locked or sent',
  locked: 'the lock is held and the journal open; nothing is sent',
  reserved: 'all places have said that they can take the secret; it is not made',
  intended: 'the intent of a write is on the disk; it is not sent',
  answered: 'the service has answered a write; nothing is noted of it',
  settling: 'the reply of a write was lost; its traces are about to be looked for',
  acked: 'the answer is noted in the journal; nothing is stored or waited for',
  waiting: 'operations are about to be waited for',
  stored: 'the secret is in all its places and not tried out',
  proved: 'the new secret was used once; its step is not noted as done',
  removing: 'the secret could not be kept; what was made is about to be removed',
  ended: 'a step has ended and been told',
  executed: 'all steps have ended; what is read back is not judged',
  verified: 'the account is read back; no result is delivered',
  leaving: 'the result is told; journal and lock are still there',
} as const;

export type RunPoint = keyof typeof RUN_POINTS;
