// Exit codes: what a run's facts come to, by one order of precedence.

/** Every code that trueup ends with. */
export const exitCodes = {
  done: 0,
  error: 1,
  differences: 2,
  incomplete: 3,
  stale: 4,
  blocked: 5,
  secretAtRisk: 6,
  interrupted: 130,
  terminated: 143,
} as const;

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

const PRECEDENCE: readonly ExitCode[] = [
  exitCodes.secretAtRisk,
  exitCodes.interrupted,
  exitCodes.terminated,
  exitCodes.stale,
  exitCodes.incomplete,
  exitCodes.blocked,
  exitCodes.differences,
  exitCodes.error,
];

/** The code of a run for which all of `codes` hold: 6, then 130 and 143, 4, 3, 5, 2 win, in this order. */
export function strongest(codes: Iterable<ExitCode>): ExitCode {
  const held = new Set(codes);
  return PRECEDENCE.find((code) => held.has(code)) ?? exitCodes.done;
}
