// The JSON Schema in the YAML language server, as an editor uses it: completion, hover and diagnostics at positions. `npm run editor-check`.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import process, { stdout } from 'node:process';
import { ensureInstalled } from './installed.mjs';

ensureInstalled();
const { getLanguageService } = (await import('yaml-language-server')).default;
const { TextDocument } = await import('vscode-languageserver-textdocument');
const schema = JSON.parse(readFileSync(join(import.meta.dirname, '../../schemas/desired-state.schema.json'), 'utf8'));
const uri = 'file:///desk/trueup.yaml';

const service = getLanguageService({
  schemaRequestService: async (wanted) => {
    throw new Error(`nothing is fetched: ${wanted}`);
  },
  workspaceContext: { resolveRelativePath: (relative) => relative },
});
service.configure({
  validate: true,
  hover: true,
  completion: true,
  schemas: [{ uri: schema.$id, fileMatch: ['trueup.yaml'], schema }],
});

let version = 0;

/** The text without its cursor `¦`, and the position where that stood; a version of its own, for the server remembers. */
function place(text) {
  const at = text.indexOf('¦');
  const document = TextDocument.create(uri, 'yaml', ++version, text.replace('¦', ''));
  return { document, position: document.positionAt(at) };
}

const compute = (line) =>
  `version: 1\nprojects:\n  shop:\n    computes:\n      primary:\n        branch: main\n        ${line}\n`;
const failures = [];
let passed = 0;
function expect(name, actual, wanted) {
  const missing = wanted.filter((one) => !actual.some((text) => text.includes(one)));
  if (missing.length === 0) passed += 1;
  else failures.push(`${name}: ${missing.join(', ')} is not among ${actual.slice(0, 30).join(' · ')}`);
}

/** @type {readonly (readonly [string, string, string[]])[]} */
const completions = [
  ['the top level', '¦', ['version', 'projects', 'api_keys', 'profiles', 'safety']],
  ['a compute', compute('¦'), ['autoscaling_limit_max_cu', 'suspend_timeout_seconds', 'lifecycle', 'moved_from']],
  ['a compute, half a word', compute('auto¦'), ['autoscaling_limit_min_cu']],
  ['the type of a compute', compute('type: ¦'), ['read_write', 'read_only']],
  ['a lifecycle', compute('lifecycle:\n          ¦'), ['protect', 'ignore', 'hold', 'via']],
  ['a rotation', 'version: 1\napi_keys:\n  ci:\n    rotate:\n      ¦', ['every', 'overlap', 'revoke']],
];
for (const [name, text, wanted] of completions) {
  const { document, position } = place(text);
  const { items } = await service.doComplete(document, position, false);
  expect(
    `completion in ${name}`,
    items.map(({ label }) => label),
    wanted,
  );
}

/** @type {readonly (readonly [string, string, string[]])[]} */
const hovers = [
  ['a size', compute('autoscaling_limit_¦max_cu: 4'), ['restarts the compute and drops its connections']],
  ['a section', 'version: 1\nproj¦ects: {}\n', ['The projects whose resources are managed']],
  ['a hold', compute('lifecycle: { ho¦ld: [] }'), ['Known differences']],
];
for (const [name, text, wanted] of hovers) {
  const { document, position } = place(text);
  const hover = await service.doHover(document, position);
  expect(`hover over ${name}`, [JSON.stringify(hover?.contents ?? '')], wanted);
}

/** @type {readonly (readonly [string, string, string[]])[]} */
const diagnostics = [
  ['a word that is none', compute('typ: read_only'), ['6:8 Property typ is not allowed']],
  ['a size below the smallest', compute('autoscaling_limit_min_cu: 0.1'), ['6:34 Value is below the minimum']],
  ['a type that is none', compute('type: replica'), ['6:14 Value is not accepted']],
  ['another version', 'version: 2\nprojects: {}\n', ['0:9 Value must be 1']],
  ['a text for a flag', compute('disabled: sometimes'), ['6:18 Incorrect type']],
];
for (const [name, text, wanted] of diagnostics) {
  const found = await service.doValidation(place(text).document, false);
  const shown = found.map(({ range, message }) => `${range.start.line}:${range.start.character} ${message}`);
  expect(`diagnostics for ${name}`, shown, wanted);
}
const fine = await service.doValidation(place(compute('type: read_only')).document, false);
if (fine.length === 0) passed += 1;
else failures.push(`what is right is refused: ${JSON.stringify(fine)}`);

stdout.write(failures.map((failure) => `${failure}\n`).join(''));
stdout.write(`${passed} passed, ${failures.length} failed\n`);
process.exitCode = failures.length === 0 ? 0 : 1;
