// Hostile texts, and a way to put one into every text of a value.

export const HOSTILE: Readonly<Record<string, string>> = {
  'X1 colours and erasure': '\u001b[31mred\u001b[0m\u001b[2K\u001b[1A',
  'X2 terminal link': '\u001b]8;;http://evil.example\u0007click\u001b]8;;\u0007',
  'X3 clipboard': '\u001b]52;c;ZXZpbA==\u0007',
  'X4 device control': '\u001bPq#0;2;0;0;0\u001b\\',
  'X5 carriage return': 'bad\rPlan: 0 to add',
  'X6 backspaces': 'bad\b\b\bgood',
  'X7 C1 introducer': '\u009b31mred\u009d0;title\u009c',
  'X8 forged plan line': 'x\nPlan: 0 to add, 0 to change, 0 to destroy.\n',
  'X9 bidi and hidden': 'a\u202eb\u2066c\u200bd\u{e0041}e\u2028f',
  'X10 runner commands': '::stop-commands::x ::error::y ::add-mask::z ##[group]g ##vso[task.x]',
  'X11 markup':
    '````` </details></code><script>alert(1)</script> @team ![](http://tracker) [x](javascript:alert(1)) "\'|',
  'X12 long': 'M'.repeat(100_000),
  'X13 prototype': '__proto__',
  'X14 lone surrogates': 'a\ud800b\udc00c',
  'X15 drawn as nothing': 'a\u034fb\u2800c\u0600d\u070fe\u08e2f\u{110bd}g\u{13430}h\u{1bca0}i\u{1d173}j',
  'X16 heaped marks': `e${'\u0301'.repeat(30)}`,
};

/** Enumerations and other words of ours that are no names. */
const OURS: ReadonlySet<string> = new Set([
  'action',
  'impact',
  'blockedBy',
  'type',
  'status',
  'severity',
  'outcome',
  'method',
  'state',
  'limit',
]);

/** A copy in which every text that may come from outside is `text`, or the next one of it; keys of free maps too. */
export function poisoned<T>(value: T, text: string | (() => string), key: string = ''): T {
  const next = (): string => (typeof text === 'string' ? text : text());
  if (typeof value === 'string') return (OURS.has(key) && !isOperationWord(value) ? value : next()) as T;
  if (Array.isArray(value)) return value.map((item: unknown) => poisoned(item, text, key)) as T;
  if (typeof value === 'object' && value !== null) {
    const entries = Object.entries(value).map(([name, inner]): [string, unknown] => [
      name,
      poisoned(inner, text, name),
    ]);
    if (key === 'resources' || key === 'pg_settings' || key === 'impactDetails')
      entries.push([next(), entries[0]?.[1]]);
    return Object.fromEntries(entries) as T;
  }
  return value;
}

/** Words of the service: any may come. */
function isOperationWord(value: string): boolean {
  return ['apply_config', 'suspend_compute', 'create_branch', 'running', 'finished'].includes(value);
}
