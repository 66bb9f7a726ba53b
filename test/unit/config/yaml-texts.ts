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

/** What an entry says where the others say something else. */
const turn = fc.oneof(
  { weight: 12, arbitrary: fc.nat(30).map(String) },
  { weight: 12, arbitrary: fc.constantFrom('br-a-1', 'br-b', 'x', 'true', '~', 'a b', '1 # c', 'x  # d', '-1', '1e3') },
  { weight: 2, arbitrary: fc.constantFrom('"q"', "'s'", '{ a: 1 }', '{ a: 2 }', '[1]', '1\n      # c', '1\n\n') },
  { weight: 1, arbitrary: fc.constantFrom(...odd) },
);

/** Texts of one list whose entries are written alike: what each says differs in some of its values. */
export const repeatedText: fc.Arbitrary<string> = fc
  .record({
    forms: fc.array(fc.array(fc.tuple(fc.nat(9), fc.boolean(), value), { minLength: 1, maxLength: 5 }), {
      minLength: 1,
      maxLength: 3,
    }),
    entries: fc.array(fc.tuple(fc.nat(5), fc.array(turn, { minLength: 3, maxLength: 3 }), between), {
      minLength: 2,
      maxLength: 9,
    }),
    nested: fc.boolean(),
    slip: fc.option(fc.record({ at: fc.nat(900), mark: fc.constantFrom(...marks), cut: fc.nat(1) }), { freq: 1 }),
  })
  .map(({ forms, entries, nested, slip }) => {
    const whole = entries
      .map(([which, turns, before], n) => {
        const form = forms[which % forms.length] ?? [];
        const said = form.map(([name, differs, same], at) => {
          const line = `k${name}_${at}: ${differs ? turns[at % turns.length] : same}\n`;
          return nested && at % 2 === 1 ? `      n${at}:\n        ${line}` : `      ${line}`;
        });
        return `${before}    e${n}:\n${said.join('')}`;
      })
      .join('');
    const text = `a:\n  b:\n${whole}`;
    if (slip === null) return text;
    const at = slip.at % (text.length + 1);
    return text.slice(0, at) + slip.mark + text.slice(at + slip.cut);
  });
