// Packs the program into a few files, so that it starts quickly: what a command does not need is not read, and no folder is searched.
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { plainExports } from './bundle-exports.mjs';
import { forgetCompiledCode } from './code-cache.mjs';
import {
  deafColours,
  isUnreached,
  lateValidators,
  isLate,
  lateModules,
  placesOfModules,
  module,
  slimUndici,
  validatorFiles,
} from './bundle-plugins.mjs';

/** A native addon, and what the annex loads only to serve. */
const OUTSIDE = ['libsql', '@hono/node-server', 'hono'];

/** Replaces the compiled modules of `dist/cli` by bundles of its entries and of all that they lean on. */
export async function bundleProgram(root) {
  const source = join(root, 'src');
  const folder = join(root, 'dist', 'cli');
  const [launcher] = await bundle(root, { launch: join(source, 'cli', 'launch.ts') });
  const chunks = await bundle(
    root,
    { bin: join(source, 'cli', 'bin.ts'), tour: join(source, 'cli', 'tour.ts') },
    {
      plugins: [
        slimUndici(),
        deafColours(),
        lateValidators(root),
        placesOfModules(source, join(source, 'cli', 'code')),
      ],
      codeSplitting: {
        includeDependenciesRecursively: false,
        groups: [
          { name: 'late', test: /\0late:/ },
          { name: 'yaml', test: /node_modules[\\/]yaml[\\/]/ },
          { name: 'undici', test: /node_modules[\\/]undici[\\/]|\0unreached:/ },
        ],
      },
    },
  );
  const needed = new Set(
    chunks.flatMap(({ code }) => [...code.matchAll(/\.\/(check-[\w-]+)\.js/g)].map(([, file]) => file)),
  );
  for (const [file, text] of validatorFiles(root, ['api', 'config', 'model']))
    if (needed.has(file)) chunks.push(await bundleValidators(root, file, text));
  forgetCompiledCode(root);
  put(join(folder, 'code'), new Map(chunks.map(({ fileName, code }) => [fileName, plain(code)])));
  put(
    folder,
    new Map([
      ['package.json', '{ "type": "commonjs" }\n'],
      ['bin.js', launcher.code],
      ['tour.js', launcher.code],
    ]),
    ['code'],
  );
}

async function bundleValidators(root, file, text) {
  const setting = { plugins: [module(file, text)], treeshake: { propertyWriteSideEffects: false } };
  const [chunk] = await bundle(root, { [file]: file }, setting);
  return chunk;
}

/** A text of one byte a character is read in one go. What is no ASCII stands in strings and patterns only. */
function plain(code) {
  return code.replaceAll(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** CommonJS, which Node.js starts quicker than ES modules. */
async function bundle(root, input, { plugins = [], codeSplitting, treeshake = true } = {}) {
  const { rolldown } = await import('rolldown');
  const built = await rolldown({
    input,
    cwd: root,
    preserveEntrySignatures: 'allow-extension',
    platform: 'node',
    external: (id, importer) =>
      !isLate(id) &&
      !isUnreached(id, importer) &&
      (id.startsWith('node:') || OUTSIDE.some((name) => id === name || id.startsWith(`${name}/`))),
    treeshake,
    plugins: [...plugins, lateModules()],
  });
  const { output } = await built.generate({
    format: 'cjs',
    entryFileNames: '[name].js',
    chunkFileNames: '[name].js',
    minify: { compress: false, mangle: { keepNames: true }, codegen: { removeWhitespace: true } },
    banner: ({ moduleIds }) => `${notices(moduleIds)}'use strict';`,
    ...(codeSplitting === undefined ? {} : { codeSplitting }),
  });
  await built.close();
  return output.map(({ fileName, code }) => ({ fileName, code: plainExports(code) }));
}

/** The generated validators of `dist`, without their long local names: half the time to load them. */
export async function shrinkValidators(root, rooms) {
  const { minifySync } = await import('rolldown/utils');
  for (const room of rooms) {
    const file = join(root, 'dist', room, 'generated', 'validators.js');
    const { code, errors } = minifySync(file, readFileSync(file, 'utf8'), {
      module: true,
      compress: true,
      mangle: true,
    });
    if (errors.length > 0) throw new Error(`${file}: ${errors[0].message}`);
    writeWhole(file, code);
  }
}

function writeWhole(file, text) {
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, text);
  renameSync(draft, file);
}

/** Writes the files whole, one by one, and removes everything else from the folder. */
function put(folder, files, kept = []) {
  mkdirSync(folder, { recursive: true });
  for (const [name, text] of files) writeWhole(join(folder, name), text);
  for (const name of readdirSync(folder))
    if (!files.has(name) && !kept.includes(name)) rmSync(join(folder, name), { recursive: true, force: true });
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
