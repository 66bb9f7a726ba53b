// Composes desired-state.schema.json from its parts, and generates from the schemas in this folder the TypeScript types and the
// standalone ajv validators of src/*/generated.
// `--into dist` copies the generated validators beside the compiled code.
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { composeDesiredState, impactsOf, notesOf, partsIn, shapesOf } from './compose.mjs';
import { inFull, publishedOf } from './document.mjs';
import { operationsOf } from './operations.mjs';
import { bundleOf, validatorsOf } from './validators.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const root = dirname(here);

/** The replies that the client reads. */
const REPLIES = [
  'ApiKeyCreated',
  'ApiKeyList',
  'ApiKeyRevoked',
  'BranchListing',
  'BranchShown',
  'BranchWritten',
  'ConnectionUriReply',
  'DatabaseListing',
  'DatabaseWritten',
  'EndpointList',
  'EndpointReply',
  'ErrorBody',
  'OperationList',
  'OperationReply',
  'OrganizationListing',
  'PermissionListItem',
  'PermissionListing',
  'ProjectList',
  'ProjectShown',
  'ProjectWritten',
  'RoleListing',
  'RolePasswordReply',
  'RoleWritten',
];

/** Packages with generated code, each with its schema files, and the shapes of each module of validators: a validator includes the shapes below. */
const packages = [
  {
    owner: 'api',
    files: () => listSchemas('api'),
    validators: { replies: () => REPLIES, bodies: () => bodiesOf(openApi()), world: () => ['World'] },
    extra: {
      'operations.ts': (bundle) => operationsOf(openApi(), bundle),
      'document.ts': (bundle) => documentOf(publishedOf(openApi(), bundle)),
    },
    besides: () => ['api/openapi.json', 'operations.mjs', 'document.mjs'].map((file) => join(here, file)),
  },
  {
    owner: 'config',
    files: () => optional(['desired-state.schema.json']),
    validators: { validators: () => ['DesiredStateFile', 'SafetyFile'] },
    extra: { 'notes.ts': notesOf },
  },
  {
    owner: 'model',
    files: () => optional(['plan.schema.json', 'result.schema.json', 'event.schema.json', 'drift.schema.json']),
    validators: { validators: () => ['PlanFile', 'Result', 'Event', 'DriftFile'] },
    extra: { 'impacts.ts': () => impactsOf(here), 'shapes.ts': shapesOf },
    /** Further sources of the code. */
    besides: () => partsIn(here),
  },
];

const into = process.argv.indexOf('--into');
if (into > 0) copyValidators(process.argv[into + 1]);
else {
  await composeDesiredState(here);
  for (const owner of packages) await generate(owner);
}

function openApi() {
  return inFull(JSON.parse(readFileSync(join(here, 'api', 'openapi.json'), 'utf8')));
}

/** The shapes of the bodies of all requests. */
function bodiesOf({ paths }) {
  const operations = Object.values(paths).flatMap((methods) => Object.values(methods));
  return operations.flatMap(({ requestBody }) => requestBody?.$ref.split('/').at(-1) ?? []);
}

function documentOf(document) {
  const text = JSON.stringify(JSON.stringify(document));
  return `// Generated from openapi.json by schemas/generate.mjs; do not edit.\nexport const openApiText: string = ${text};\n`;
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
  for (const { owner, validators } of packages)
    for (const name of Object.keys(validators))
      for (const file of [`${name}.js`, `${name}.d.ts`])
        cpSync(join(root, 'src', owner, 'generated', file), join(root, target, owner, 'generated', file));
}

async function generate({ owner, files: listFiles, validators, extra = {}, besides = () => [] }) {
  const files = listFiles();
  if (files.length === 0) return;
  const texts = files.map((file) => readFileSync(join(here, file), 'utf8'));
  const target = join(root, 'src', owner, 'generated');
  const stamp = createHash('sha256')
    .update(readFileSync(fileURLToPath(import.meta.url)))
    .update(readFileSync(join(here, 'compose.mjs')))
    .update(readFileSync(join(here, 'validators.mjs')))
    .update([...texts, ...besides().map((file) => readFileSync(file, 'utf8'))].join('\0'))
    .digest('hex');
  const stampFile = join(root, '.cache', `generated-${owner}`);
  const modules = Object.keys(validators).flatMap((name) => [`${name}.js`, `${name}.d.ts`]);
  const products = ['types.ts', ...modules, ...Object.keys(extra)].map((name) => join(target, name));
  if (products.every(existsSync) && existsSync(stampFile) && readFileSync(stampFile, 'utf8') === stamp) return;
  const bundle = bundleOf(texts.map((text) => JSON.parse(text)));
  mkdirSync(target, { recursive: true });
  writeFileSync(join(target, 'types.ts'), await typesOf(bundle));
  for (const [name, shapesIn] of Object.entries(validators)) {
    writeFileSync(join(target, `${name}.js`), await validatorsOf(bundle, shapesIn()));
    writeFileSync(join(target, `${name}.d.ts`), declarationsOf(shapesIn()));
  }
  for (const [name, write] of Object.entries(extra)) writeFileSync(join(target, name), write(bundle));
  mkdirSync(dirname(stampFile), { recursive: true });
  writeFileSync(stampFile, stamp);
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
