// Assertions for our own mistakes: a failure here is a bug in trueup, never an error of the user or of the service.

export function assert(condition: boolean, message: string): asserts condition {
  if (!condition) throw new Error(`bug in trueup: ${message}`);
}

/** Ends a `switch` over a union: the call does not compile while a case is missing. */
export function unreachable(value: never): never {
  throw new Error(`bug in trueup: unexpected value ${JSON.stringify(value)}`);
}
