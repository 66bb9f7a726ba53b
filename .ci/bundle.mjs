// Packs the program into a few files, so that it starts quickly: what a command does not need is not read, and no folder is searched.
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative, sep } from 'node:path';
import process from 'node:process';

/** The parts of undici that are used: its main module loads ten times as much. */
const UNDICI = ['agent', 'pool', 'proxy-agent'];
const AS_NAMES = { agent: 'Agent', pool: 'Pool', 'proxy-agent': 'ProxyAgent' };
/** A native addon, and what the annex loads only to serve. */
const OUTSIDE = ['libsql', '@hono/node-server', 'hono'];

/** Replaces the compiled modules of `dist/cli` by bundles of its entries and of all that they lean on. */
export async function bundleProgram(root) {
  const { rolldown } = await import('rolldown');
  const source = join(root, 'src');
  const bundle = await rolldown({
    input: { bin: join(source, 'cli', 'bin.ts'), tour: join(source, 'cli', 'tour.ts') },
    cwd: root,
    platform: 'node',
    external: [/^node:/, ...OUTSIDE.map((name) => new RegExp(`^${name}(/|$)`))],
    plugins: [slimUndici(), sharedValidators(source), placesOfModules(source)],
  });
  const { output } = await bundle.generate({
    format: 'esm',
    entryFileNames: '[name].js',
    chunkFileNames: '[name].js',
    minify: { compress: false, mangle: { keepNames: true }, codegen: { removeWhitespace: true } },
    banner: ({ moduleIds }) => notices(moduleIds),
    codeSplitting: {
      groups: [
        { name: 'yaml', test: /node_modules[\\/]yaml[\\/]/ },
        { name: 'undici', test: /node_modules[\\/]undici[\\/]/ },
      ],
    },
  });
  await bundle.close();
  put(join(root, 'dist', 'cli'), new Map(output.map(({ fileName, code }) => [fileName, code])));
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
function put(folder, files) {
  mkdirSync(folder, { recursive: true });
  for (const [name, text] of files) writeWhole(join(folder, name), text);
  for (const name of readdirSync(folder))
    if (!files.has(name)) rmSync(join(folder, name), { recursive: true, force: true });
}

function slimUndici() {
  const slim = '\0undici';
  return {
    name: 'slim-undici',
    resolveId: (id) => (id === 'undici' ? slim : null),
    load: (id) =>
      id === slim
        ? UNDICI.map((part) => `export { default as ${AS_NAMES[part]} } from 'undici/lib/dispatcher/${part}.js';`).join(
            '\n',
          )
        : null,
  };
}

/** The generated validators are large, and the library has them beside the bundle anyway. */
function sharedValidators(source) {
  return {
    name: 'shared-validators',
    resolveId(id, importer) {
      if (basename(id) !== 'validators.js' || importer === undefined) return null;
      const path = relative(source, join(dirname(importer), id))
        .split(sep)
        .join('/');
      return { id: `../${path}`, external: true };
    },
  };
}

/** A module that asks where it stands (for files beside it) goes on standing where its source does. */
function placesOfModules(source) {
  return {
    name: 'places-of-modules',
    transform(code, id) {
      if (!id.startsWith(source) || !code.includes('import.meta.url')) return null;
      const place = relative(join(source, 'cli'), id).split(sep).join('/');
      return {
        code: code.replaceAll('import.meta.url', `new URL(${JSON.stringify(place)}, import.meta.url).href`),
        map: null,
      };
    },
  };
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
