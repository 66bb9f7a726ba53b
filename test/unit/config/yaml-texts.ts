// Random texts that look like files of ours: mostly plain YAML, now and then anything that YAML knows, and slips of the keyboard.
import fc from 'fast-check';

const words = (text: string): readonly string[] => text.trim().split(/\n| {2,}/);

const usual = words(`
1  -1  1.5  .5  1e3  0x1F  0o17  +1  -0  true  False  null  ~  br-a-1  64MB  a b  a:b  a#b  x # c  "q"  's'  2026-01-01
2026-11-20T00:00:00Z  Sun 02:00-04:00 Europe/Berlin  */p  {}  []  { a: 1 }  {a: 1, b: x}  [a, b]  [ 1 , 2 ]  [~, TRUE]
{ a: [x, {b: c}], d: "e" }  [1:2, a:b]  ["*/p", 'b']
`);
const odd = words(`
"a\\n"  'it''s'  - 1  -  {a}  [a: b]  [a,]  {a:1}  {"a": 1}  { a: b # c }  [[]]  {a: {}}  a: b  :  a :b  ?  &a x  *a  !x  |  >  %
@  \`  é  007  1_000  .inf  .nan  "x"# c  {a: 1} x  "a" b  a]b  "a  [a  $x  ---  ...  {<<: 1}  [ ]  a\\b  - a: 1
`).concat(['', 'x  ', 'x\t', 'a\u00a0b', '\u2028', '\ufeff', '${var:x}', `napi_${'a'.repeat(20)}`]);
const value = fc.oneof(
  { weight: 24, arbitrary: fc.constantFrom(...usual) },
  { weight: 1, arbitrary: fc.constantFrom(...odd) },
);
const key = fc.oneof(
  { weight: 40, arbitrary: fc.nat(400).map((n) => `k${n}`) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(...words('a/b  _x  1  null  <<  __proto__  "q"  a b  -a  ? a  ...  *a  a#')),
  },
);
/** What may stand between two lines. */
const between = fc.oneof(
  { weight: 40, arbitrary: fc.constant('') },
  {
    weight: 1,
    arbitrary: fc.constantFrom('\n', '# c\n', '  # c\n', '    # c\n', '   \n', '\t\n', '- a\n', '---\n', '...\n'),
  },
);
const colon = fc.oneof(
  { weight: 80, arbitrary: fc.constant(': ') },
  { weight: 1, arbitrary: fc.constantFrom(':', ' : ', ':  ', ':\t') },
);

interface Line {
  readonly before: string;
  readonly key: string;
  readonly colon: string;
  readonly value: string;
  readonly inner: readonly Line[];
  readonly step: number;
}

const { lines } = fc.letrec<{ lines: readonly Line[]; line: Line }>((tie) => ({
  lines: fc.array(tie('line'), { minLength: 1, maxLength: 4, depthIdentifier: 'yaml' }),
  line: fc.record({
    before: between,
    key,
    colon,
    value,
    inner: fc.oneof({ maxDepth: 4, depthIdentifier: 'yaml' }, fc.constant([]), tie('lines')),
    step: fc.constantFrom(2, 2, 2, 4, 1),
  }),
}));

function written(all: readonly Line[], indent: number): string {
  return all
    .map((line) => {
      const head = `${line.before}${' '.repeat(indent)}${line.key}`;
      if (line.inner.length === 0) return `${head}${line.colon}${line.value}\n`;
      return `${head}:${line.value.startsWith('#') ? ' # c' : ''}\n${written(line.inner, indent + line.step)}`;
    })
    .join('');
}

const marks = [...Array.from(' \n:#"\'-{}[],\\|&*!\t'), '\u2028', '  ', ': ', ' #', ''];
export const yamlText: fc.Arbitrary<string> = fc
  .record({
    lines,
    end: fc.constantFrom('', '', '\n', '# e\n', '  # e\n', ' '),
    slip: fc.option(fc.record({ at: fc.nat(400), mark: fc.constantFrom(...marks), cut: fc.nat(1) }), { freq: 1 }),
  })
  .map(({ lines: all, end, slip }) => {
    const whole = written(all, 0) + end;
    if (slip === null) return whole;
    const at = slip.at % (whole.length + 1);
    return whole.slice(0, at) + slip.mark + whole.slice(at + slip.cut);
  });
