// A reply with another value at one place: what a server says that mixes things up, or has words that clients don't know.

/** The JSON value `body` with `value` (undefined: nothing) wherever the dotted path `at` leads; `*` is any member or item. */
export function rewrite(body: unknown, at: string, value: unknown): unknown {
  return changed(body, at.split('.'), value);
}

function changed(node: unknown, [step, ...rest]: readonly string[], value: unknown): unknown {
  if (step === undefined) return value;
  if (Array.isArray(node))
    return node.map((item: unknown, index) => (isMeant(step, String(index)) ? changed(item, rest, value) : item));
  if (typeof node !== 'object' || node === null) return node;
  const members = Object.entries(node).map(
    ([name, member]) => [name, isMeant(step, name) ? changed(member, rest, value) : (member as unknown)] as const,
  );
  if (rest.length === 0 && step !== '*' && !Object.hasOwn(node, step)) members.push([step, value]);
  return Object.fromEntries(members.filter(([, member]) => member !== undefined));
}

function isMeant(step: string, name: string): boolean {
  return step === '*' || step === name;
}
