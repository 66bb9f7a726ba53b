// Composes desired-state.schema.json from its parts, and generates from the schemas in this folder the TypeScript types and the
// standalone ajv validators of src/*/generated.
// `--into dist` copies the generated validators beside the compiled code.
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { composeDesiredState, notesOf } from './compose.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const root = dirname(here);

/** Rooms that own generated code, and the schema files that each is generated from. */
const rooms = [
  { room: 'api', files: () => listSchemas('api') },
  {
    room: 'config',
    files: () => optional(['desired-state.schema.json']),
    /** Only these shapes get a validator; the others are compiled into them. */
    roots: ['DesiredStateFile', 'SafetyFile'],
    extra: { 'notes.ts': notesOf },
  },
  {
    room: 'model',
    files: () => optional(['plan.schema.json', 'result.schema.json', 'event.schema.json', 'drift.schema.json']),
    roots: ['PlanFile', 'Result', 'Event', 'DriftFile'],
  },
];

const into = process.argv.indexOf('--into');
if (into > 0) copyValidators(process.argv[into + 1]);
else {
  await composeDesiredState(here);
  for (const room of rooms) await generate(room);
}

function listSchemas(folder) {
  return readdirSync(join(here, folder))
    .filter((name) => name.endsWith('.schema.json'))
    .sort()
    .map((name) => `${folder}/${name}`);
}

function optional(files) {
  return files.filter((file) => existsSync(join(here, file)));
}

function copyValidators(target) {
  for (const { room } of rooms) {
    const from = join(root, 'src', room, 'generated');
    if (existsSync(join(from, 'validators.js'))) {
      cpSync(join(from, 'validators.js'), join(root, target, room, 'generated', 'validators.js'));
      cpSync(join(from, 'validators.d.ts'), join(root, target, room, 'generated', 'validators.d.ts'));
    }
  }
}

async function generate({ room, files: listFiles, roots, extra = {} }) {
  const files = listFiles();
  if (files.length === 0) return;
  const texts = files.map((file) => readFileSync(join(here, file), 'utf8'));
  const target = join(root, 'src', room, 'generated');
  const stamp = createHash('sha256')
    .update(readFileSync(fileURLToPath(import.meta.url)))
    .update(readFileSync(join(here, 'compose.mjs')))
    .update(texts.join('\0'))
    .digest('hex');
  const stampFile = join(root, '.cache', `generated-${room}`);
  const names = ['types.ts', 'validators.js', 'validators.d.ts', ...Object.keys(extra)];
  const products = names.map((name) => join(target, name));
  if (products.every(existsSync) && existsSync(stampFile) && readFileSync(stampFile, 'utf8') === stamp) return;
  const bundle = bundleOf(texts.map((text) => JSON.parse(text)));
  mkdirSync(target, { recursive: true });
  writeFileSync(products[0], await typesOf(bundle));
  const shapes = roots ?? Object.keys(bundle.$defs);
  writeFileSync(products[1], await validatorsOf(bundle, shapes));
  writeFileSync(products[2], declarationsOf(shapes));
  for (const [name, write] of Object.entries(extra)) writeFileSync(join(target, name), write(bundle));
  mkdirSync(dirname(stampFile), { recursive: true });
  writeFileSync(stampFile, stamp);
}

/** One schema whose $defs are those of all files (a file's root, where it is one, under its title); references point into it. */
function bundleOf(schemas) {
  const $defs = {};
  const add = (name, definition) => {
    if ($defs[name] !== undefined) throw new Error(`two schemas define ${name}`);
    $defs[name] = definition;
  };
  for (const schema of schemas) {
    for (const [name, definition] of Object.entries(schema.$defs ?? {})) add(name, definition);
    if (schema.type !== undefined || schema.$ref !== undefined) {
      const { $defs: _defs, $schema: _schema, $id: _id, ...own } = schema;
      add(schema.title, own);
    }
  }
  const text = JSON.stringify($defs).replaceAll(/"\$ref":"[^"#]*#\/\$defs\//g, '"$ref":"#/$defs/');
  return { $id: 'https://trueup.dev/schemas/bundle.json', $defs: JSON.parse(text) };
}

async function typesOf(bundle) {
  const { compile } = await import('json-schema-to-typescript');
  const titled = structuredClone(bundle);
  for (const [name, definition] of Object.entries(titled.$defs)) definition.title = name;
  const text = await compile({ ...titled, title: 'Bundle', type: 'object', properties: {} }, 'Bundle', {
    bannerComment: '// Generated from the schemas by schemas/generate.mjs; do not edit.',
    unreachableDefinitions: true,
    additionalProperties: true,
    strictIndexSignatures: true,
    format: false,
    style: { singleQuote: true },
  });
  return text;
}

async function validatorsOf(bundle, names) {
  const { Ajv2020 } = await import('ajv/dist/2020.js');
  const { default: standalone } = await import('ajv/dist/standalone/index.js');
  const ajv = new Ajv2020({
    allErrors: true,
    strict: true,
    strictRequired: false,
    strictTypes: false,
    allowUnionTypes: true,
    discriminator: true,
    ownProperties: true,
    verbose: false,
    schemas: [withoutProse(bundle)],
    keywords: ['x-trueup'],
    code: { source: true, esm: true, lines: false },
  });
  const entries = Object.fromEntries(names.map((name) => [name, `${bundle.$id}#/$defs/${name}`]));
  // The code asks for its one helper as CommonJS does, which nothing that packs modules could follow.
  const helper = 'require("ajv/dist/runtime/ucs2length").default';
  const code = joinedErrors(plainLooks(standalone(ajv, entries).replaceAll(helper, 'ucs2length')));
  if (code.includes('require(')) throw new Error('the validators need a helper that nobody imports for them');
  // Node.js gives the whole CommonJS module here, others its default.
  const prelude = code.includes('ucs2length')
    ? "import helper from 'ajv/dist/runtime/ucs2length.js';\nconst ucs2length = helper.default ?? helper;\n"
    : '';
  return `// Generated from the schemas by schemas/generate.mjs; do not edit.\n${prelude}${code}\n`;
}

/** Errors are added to those before: a new list each time would take a time that grows with the square of their number. */
function joinedErrors(code) {
  const joined = code.replaceAll(
    /vErrors = vErrors === null \? (\w+)\.errors : vErrors\.concat\(\1\.errors\)/g,
    'vErrors = joined(vErrors, $1.errors)',
  );
  if (joined.includes('vErrors.concat')) throw new Error('errors are joined in a way that is not known here');
  return `${joined}\nfunction joined(all, more) {\n  if (all === null) return more;\n  for (const one of more) all.push(one);\n  return all;\n}\n`;
}

/** Without asking whether a member is the object's own, where no object inherits one of that name: that takes longer than all else. */
function plainLooks(code) {
  const isOwn = (match, look, name) => (name in Object.prototype ? match : look);
  return code
    .replaceAll(/(\bdata\d*\.(\w+) !== undefined) && func\d+\.call\(data\d*, ?"\2"\)/g, isOwn)
    .replaceAll(/\((\bdata\d*\.(\w+) === undefined)\) \|\| \(!\(func\d+\.call\(data\d*, ?"\2"\)\)\)/g, isOwn);
}

/** Validators carry the schemas that they point into: what is only for people stays out. */
function withoutProse(schema) {
  const isProse = (key, value) =>
    (key === 'description' && typeof value === 'string') || (key === 'examples' && Array.isArray(value));
  return JSON.parse(JSON.stringify(schema, (key, value) => (isProse(key, value) ? undefined : value)));
}

function declarationsOf(names) {
  const lines = names.map((name) => `export declare const ${name}: Validator;`);
  return [
    '// Generated from the schemas by schemas/generate.mjs; do not edit.',
    'export interface ValidationError { instancePath: string; schemaPath: string; keyword: string; params: Record<string, unknown>; message?: string }',
    'export interface Validator { (value: unknown): boolean; errors?: ValidationError[] | null }',
    ...lines,
    '',
  ].join('\n');
}
