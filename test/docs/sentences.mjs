// Collects the sentences that people read: documents, help, messages, descriptions of schemas, comments and test titles.
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseSync } from 'oxc-parser';

const root = fileURLToPath(new URL('../..', import.meta.url)).replace(/[/\\]$/, '');

/** The areas in the order in which they are reported. */
const areas = ['docs', 'help', 'messages', 'schemas', 'server', 'comments', 'titles'];

/** Every sentence of the areas named, with its file; a heading, a cell and a label count as one. */
export function sentences(wanted = areas) {
  const isWanted = (...some) => some.some((area) => wanted.includes(area));
  return [
    ...(isWanted('docs') ? documents() : []),
    ...(isWanted('schemas', 'server') ? schemas() : []),
    ...(isWanted('help', 'messages', 'server', 'comments') ? sources() : []),
    ...(isWanted('titles') ? titles() : []),
  ].filter(({ area }) => wanted.includes(area));
}

/** The sentences of a Markdown text. Code blocks and comments are left out; links are reduced to their text. */
function sentencesOfMarkdown(text) {
  const prose = text
    .replaceAll(/<!--[\s\S]*?-->/g, '')
    .replaceAll(/^ *(`{3,}|~{3,})[^\n]*\n[\s\S]*?^ *\1\s*$/gm, '\n')
    .replaceAll(/!?\[((?:[^[\]]|\[[^\]]*\])*)\]\([^)\s]*(?: "[^"]*")?\)/g, '$1')
    // In code, angle brackets are text.
    .replaceAll(/(`[^`\n]*`)|<\/?[a-z][^>]*>/g, '$1');
  let heading = '';
  return prose.split(/\n\s*\n|\n(?=\s*(?:[-*+]|\d+\.|#+|>|\|) ?)/).flatMap((block) => {
    const isHeading = /^\s*#/.test(block);
    const isRow = /^\s*\|/.test(block);
    const whole = block.replace(/^\s*(?:[-*+]|\d+\.|#+|>)\s+/, '');
    const cells = isRow ? block.split(/(?<!\\)\|/) : [whole];
    const key = isRow ? cells[1]?.trim() : /^(?:`[^`]+`(?:, )?)+(?=:)|^\*\*[^*]+\*\*/.exec(whole)?.[0];
    if (isHeading) heading = whole.trim();
    return cells
      .flatMap((cell) => split(cell))
      .map((text) => ({
        text,
        isHeading,
        within: key === undefined || text.includes(key) ? heading : `${heading}, ${key}`,
      }));
  });
}

/** The sentences of a text without markup. */
function split(text) {
  return text
    .replaceAll(/\s+/g, ' ')
    .split(/(?<=[.!?]["'”)*]{0,2}) (?=["'“(*]{0,2}(?:[A-Z`$]|trueup\b))/)
    .map((sentence) => sentence.trim())
    .filter((sentence) => /[a-z].* .*[a-z]/i.test(sentence));
}

function documents() {
  const paths = [...readdirSync(root).filter((path) => path.endsWith('.md')), ...filesBelow('docs', '.md')];
  return paths.flatMap((path) =>
    sentencesOfMarkdown(read(path)).map((sentence) => ({ area: 'docs', path, ...sentence })),
  );
}

function schemas() {
  // The schema of the file is composed of the parts beside it.
  const paths = filesBelow('schemas', '.json').filter((path) => path !== 'schemas/desired-state.schema.json');
  return paths.flatMap((path) => {
    const area = path.startsWith('schemas/api/') ? 'server' : 'schemas';
    return described(JSON.parse(read(path)), []).map((found) => ({ area, path, ...found, isHeading: false }));
  });
}

/** Descriptions, and the sentences that the program takes from its own members of a schema, each with the names around it. */
function described(node, names) {
  return Object.entries(node ?? {}).flatMap(([key, value]) => {
    const inner = /^(?:properties|\$defs|items|x-trueup|description|\d+)$/.test(key) ? names : [...names, key];
    if (typeof value === 'object') return described(value, inner);
    if (typeof value !== 'string' || (key !== 'description' && !/(?:\S+ ){3}/.test(value))) return [];
    return split(value).map((text) => ({ text, within: inner.slice(-2).join('.') }));
  });
}

function sources() {
  return filesBelow('src', '.ts').flatMap((path) => {
    const { program, comments } = parseSync(path, read(path));
    const area = areaOf(path);
    const ofComments = area === 'server' ? area : 'comments';
    return [
      ...strings(program)
        // A sentence ends with its line or element. Code inside a string has braces; a list of words has no mark at all.
        .flatMap((text) => text.split(/\n|<[^>]*>/))
        .filter((text) => !/[{};]\s*$|\{.*\}|\b(?:SELECT|CREATE|EXECUTE)\b|^(?:[a-z]+ ){20}/.test(text))
        .flatMap((text) => split(text).map((sentence) => ({ area, path, text: sentence, isHeading: false }))),
      ...joined(comments).flatMap((text) =>
        split(text).map((sentence) => ({ area: ofComments, path, text: sentence, isHeading: false })),
      ),
    ];
  });
}

function areaOf(path) {
  if (path.startsWith('src/control-plane/')) return 'server';
  return path.startsWith('src/cli/program/') ? 'help' : 'messages';
}

/** The texts of string literals and templates; an inserted value stands as one word. */
function strings(node, found = []) {
  if (node.type === 'ImportDeclaration') return found;
  if (node.type === 'Literal' && typeof node.value === 'string') found.push(node.value);
  if (node.type === 'TemplateLiteral') found.push(node.quasis.map(({ value }) => value.cooked).join('`value`'));
  for (const key in node) {
    const value = node[key];
    if (value !== null && typeof value === 'object') strings(value, found);
  }
  return found;
}

/** The texts of comments, lines that follow each other as one. */
function joined(comments) {
  const found = [];
  let end = -1;
  for (const comment of comments) {
    const text = comment.value.replaceAll(/^\s*\*+/gm, ' ').trim();
    if (comment.type === 'Line' && comment.start - end < 40 && found.length > 0) found.push(`${found.pop()} ${text}`);
    else found.push(text);
    end = comment.type === 'Line' ? comment.end : -100;
  }
  return found;
}

function titles() {
  const TITLE =
    /(?:\b(?:it|test|describe)(?:\.skipIf\([^)]*\))?|\]\)|\))\(\s*(?:'((?:[^'\\\n]|\\.)+)'|`([^`]+)`|"([^"\n]+)")\s*,\s*(?:async )?\(/g;
  return filesBelow('test', '.test.ts').flatMap((path) =>
    [...read(path).matchAll(TITLE)].flatMap(([, ...texts]) =>
      split(texts.find((one) => one !== undefined) ?? '').map((text) => ({
        area: 'titles',
        path,
        text,
        isHeading: false,
      })),
    ),
  );
}

function read(path) {
  return readFileSync(`${root}/${path}`, 'utf8');
}

/** The paths of files below a folder, sorted; generated and installed ones are left out. */
function filesBelow(folder, extension) {
  return readdirSync(`${root}/${folder}`, { recursive: true })
    .map((path) => `${folder}/${path.replaceAll('\\', '/')}`)
    .filter((path) => path.endsWith(extension) && !/\/(?:generated|node_modules)\//.test(path))
    .sort();
}
