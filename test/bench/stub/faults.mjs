// The faults that a run may meet: which request they hit, and what becomes of it.

const creates = ['create compute', 'create branch'];

/** By name: `before` answers instead of the service, `inside` changes what it does, `after` loses the answer to what was done. */
export const faultKinds = {
  '429 three times, Retry-After: 1': { times: 3, before: { status: 429, headers: { 'retry-after': '1' } } },
  '423 three times': { times: 3, before: { status: 423 } },
  '500 before commit': { times: 1, before: { status: 500 } },
  '500 after commit': { times: 1, after: 'error' },
  'reset after commit': { times: 1, after: 'reset' },
  'operation fails': { times: 1, inside: 'operation fails' },
};

/** The fault of a request to `route`, used up by being asked for; undefined where there is none. The fifth create is hit. */
export function nextFault(faults, route) {
  if (!creates.includes(route)) return undefined;
  for (const fault of faults) {
    fault.skip ??= 4;
    if (fault.skip > 0) {
      fault.skip--;
      continue;
    }
    const kind = faultKinds[fault.name];
    fault.left ??= kind.times;
    if (fault.left-- > 0) return kind;
  }
  return undefined;
}
