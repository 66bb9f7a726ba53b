// The size of the source: files, lines and tokens of each part, against the budgets that the design sets.
// usage: node test/architecture/count-source.mjs     prints the table
import { readdirSync, readFileSync } from 'node:fs';
import { argv, stdout } from 'node:process';
import { fileURLToPath } from 'node:url';
import { parseSync } from 'oxc-parser';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** The packages of each part. */
export const PARTS = {
  engine: ['model', 'plan', 'apply', 'client', 'config', 'kinds', 'reconciler'],
  'cli and render': ['cli', 'render'],
  'control-plane': ['control-plane'],
  src: null,
};

/** A regular expression, a template's text and a string are one token each; comments and imports are none. */
const TOKEN =
  /[\p{ID_Start}$_#@][\p{ID_Continue}$\u200c\u200d]*|\d[\w.]*|=>|\.\.\.|\?\.|>>>=|>>=|<<=|\*\*=|&&=|\|\|=|\?\?=|===|!==|==|!=|<=|>=|&&|\|\||\?\?|\+\+|--|\*\*|[+\-*/%&|^]=|\S/gu;

/** Hand-written files below `folder`, as paths relative to src. */
function filesBelow(folder) {
  return readdirSync(`${root}src/${folder}`, { withFileTypes: true }).flatMap(({ name }) => {
    const path = folder === '' ? name : `${folder}/${name}`;
    if (name === 'generated') return [];
    return name.includes('.') ? (name.endsWith('.ts') ? [path] : []) : filesBelow(path);
  });
}

/** How many tokens a text has. */
export function tokensIn(path, text) {
  const { program, comments, errors } = parseSync(path, text);
  if (errors.length > 0) throw new Error(`${path}: ${errors[0].message}`);
  const literals = [];
  const visit = (node) => {
    if (node === null || typeof node !== 'object') return;
    if (Array.isArray(node)) return node.forEach(visit);
    if (node.type === 'ImportDeclaration') return;
    const isOne = node.type === 'TemplateElement' || (node.type === 'Literal' && /^["'/]/.test(node.raw ?? ''));
    if (isOne) literals.push(node);
    else Object.values(node).forEach(visit);
  };
  visit(program.body);
  const imports = program.body.filter(({ type }) => type === 'ImportDeclaration');
  const gaps = [
    ...[...comments, ...imports].map(({ start, end }) => ({ start, end, put: ' ' })),
    ...literals.map(({ start, end }) => ({ start, end, put: start === end ? '' : ' _ ' })),
  ].sort((a, b) => a.start - b.start);
  let at = 0;
  let rest = '';
  for (const { start, end, put } of gaps) {
    if (start < at) continue;
    rest += text.slice(at, start) + put;
    at = end;
  }
  rest += text.slice(at);
  return rest.match(TOKEN)?.length ?? 0;
}

/** Files, lines and tokens by part. */
export function sizes() {
  const measured = filesBelow('').map((path) => {
    const text = readFileSync(`${root}src/${path}`, 'utf8');
    return { name: path.split('/')[0], lines: text.trimEnd().split('\n').length, tokens: tokensIn(path, text) };
  });
  return Object.fromEntries(
    Object.entries(PARTS).map(([part, packages]) => {
      const own = measured.filter(({ name }) => packages === null || packages.includes(name));
      const sum = (of) => own.reduce((total, one) => total + of(one), 0);
      return [part, { files: own.length, lines: sum(({ lines }) => lines), tokens: sum(({ tokens }) => tokens) }];
    }),
  );
}

if (argv[1] === fileURLToPath(import.meta.url)) {
  stdout.write(`${'part'.padEnd(16)}${'files'.padStart(8)}${'lines'.padStart(9)}${'tokens'.padStart(10)}\n`);
  for (const [part, { files, lines, tokens }] of Object.entries(sizes()))
    stdout.write(
      `${part.padEnd(16)}${String(files).padStart(8)}${String(lines).padStart(9)}${String(tokens).padStart(10)}\n`,
    );
}
