// Packs the program into a few files, so that it starts quickly: what a command does not need is not read, and no folder is searched.
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import process from 'node:process';
import { isUnreached, slimUndici } from './slim-undici.mjs';

/** A native addon, and what the annex loads only to serve. */
const OUTSIDE = /^(node:|(libsql|@hono\/node-server|hono)(\/|$))/;
/** Builtins that take Node.js milliseconds to load, and that most runs never call. */
const LATE_BUILTINS = ['node:child_process', 'node:crypto', 'node:zlib'];
/** The rooms with generated validators. */
const ROOMS = ['api', 'config', 'model'];
/** Function names are kept: a stack trace still tells something. */
const MINIFY = { compress: false, mangle: { keepNames: true }, codegen: { removeWhitespace: true } };

/** Writes `dist/cli`: its entries, and all that they lean on. CommonJS, which Node.js starts quicker than ES modules. */
export async function bundleProgram(root) {
  const { rolldown } = await import('rolldown');
  const source = join(root, 'src');
  const built = await rolldown({
    input: {
      bin: join(source, 'cli', 'bin.ts'),
      tour: join(source, 'cli', 'tour.ts'),
      ...Object.fromEntries(ROOMS.map((room) => [`validators-${room}`, validatorsOf(source, room)])),
    },
    cwd: root,
    preserveEntrySignatures: 'allow-extension',
    platform: 'node',
    // Its ES modules: what a bundle wraps as CommonJS is compiled twice.
    resolve: { alias: { yaml: join(root, 'node_modules', 'yaml', 'browser', 'index.js') } },
    external: (id, importer) => OUTSIDE.test(id) && !isUnreached(id, importer) && !isLate(id, importer),
    plugins: [slimUndici(), lateBuiltins(), lateValidators(source), placesOfModules(source)],
  });
  const { output } = await built.generate({
    format: 'cjs',
    entryFileNames: '[name].js',
    chunkFileNames: '[name].js',
    minify: MINIFY,
    banner: ({ moduleIds }) => notices(moduleIds),
  });
  await built.close();
  const files = new Map(output.map(({ fileName, code }) => [fileName, code]));
  put(join(root, 'dist', 'cli'), files.set('package.json', '{ "type": "commonjs" }\n'));
}

/** The annex needs them at once; undici has its own ways. */
const isLate = (id, importer = '') => LATE_BUILTINS.includes(id) && !/[\\/](control-plane|undici)[\\/]/.test(importer);

/** Validators are large, and most runs check one kind of document: those of a room are read when one of them first checks something. */
function lateValidators(source) {
  const mark = '\0late:';
  return {
    name: 'late-validators',
    resolveId(id, importer) {
      if (importer?.startsWith(mark)) return { id, external: true };
      if (!id.endsWith('/validators.js') || importer === undefined) return null;
      return mark + ROOMS.find((room) => join(dirname(importer), id) === validatorsOf(source, room));
    },
    load(id) {
      if (!id.startsWith(mark)) return null;
      const room = id.slice(mark.length);
      const shapes = readFileSync(validatorsOf(source, room), 'utf8').matchAll(/\bexport const (\w+)/g);
      const late = ([, shape]) => `export function ${shape}(value) {
        const check = require('./validators-${room}.js').${shape};
        const fits = check(value);
        ${shape}.errors = check.errors;
        return fits;
      }`;
      return [...shapes].map(late).join('\n');
    },
  };
}

/** What is taken from a late builtin are functions: each loads it when it is first called. */
function lateBuiltins() {
  const mark = '\0late-builtin:';
  return {
    name: 'late-builtins',
    resolveId: (id, importer) => (isLate(id, importer) ? mark + id : null),
    load(id) {
      if (!id.startsWith(mark)) return null;
      const builtin = id.slice(mark.length);
      const functions = Object.entries(process.getBuiltinModule(builtin)).filter(
        ([name, value]) => typeof value === 'function' && /^[a-z]/.test(name),
      );
      const late = ([name]) =>
        `export const ${name} = (...values) => process.getBuiltinModule('${builtin}').${name}(...values);`;
      return functions.map(late).join('\n');
    },
  };
}

const validatorsOf = (source, room) => join(source, room, 'generated', 'validators.js');

/** A module that asks where it stands, for files beside it, goes on standing where its source does. */
function placesOfModules(source) {
  return {
    name: 'places-of-modules',
    transform(code, id) {
      if (!id.startsWith(source) || !code.includes('import.meta.url')) return null;
      const place = JSON.stringify(relative(join(source, 'cli'), id).split(sep).join('/'));
      return { code: code.replaceAll('import.meta.url', `new URL(${place}, import.meta.url).href`), map: null };
    },
  };
}

/** Writes the files whole, one by one, and removes everything else from the folder. */
function put(folder, files) {
  mkdirSync(folder, { recursive: true });
  for (const [name, text] of files) {
    const draft = join(folder, `${name}.${process.pid}`);
    writeFileSync(draft, text);
    renameSync(draft, join(folder, name));
  }
  for (const name of readdirSync(folder)) if (!files.has(name)) rmSync(join(folder, name), { recursive: true });
}

/** The licences of the packages that a bundle holds parts of. */
function notices(modules) {
  const packages = new Map();
  for (const id of modules) {
    const [, folder] = /^(.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+)[\\/]/.exec(id) ?? [];
    if (folder === undefined || packages.has(folder)) continue;
    const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
    const text = file === undefined ? '' : `\n${readFileSync(join(folder, file), 'utf8').trim()}`;
    packages.set(folder, `${name} ${version} (${license})${text}`);
  }
  if (packages.size === 0) return '';
  return `/*!\nThis file holds parts of:\n\n${[...packages.values()].join('\n\n').replaceAll('*/', '* /')}\n*/`;
}
