// Packs the program into a few files, so that it starts quickly: a command reads only its own part, and no folder is searched.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { rolldown } from 'rolldown';

/** A native addon. */
const OUTSIDE = 'libsql';

/** Writes the entries of the program below `root`, and the chunks that they share, into `folder`. */
export async function bundleProgram(root, folder) {
  const source = join(root, 'src');
  const bundle = await rolldown({
    input: { bin: join(source, 'cli', 'bin.ts'), tour: join(source, 'cli', 'tour.ts') },
    cwd: root,
    platform: 'node',
    external: [OUTSIDE],
    plugins: [placesOfModules(source)],
  });
  const { output } = await bundle.generate({
    // Node.js starts CommonJS quicker than ES modules.
    format: 'cjs',
    entryFileNames: '[name].js',
    chunkFileNames: '[name].js',
    // Function names are kept: a stack trace still tells something.
    minify: { compress: false, mangle: { keepNames: true }, codegen: { removeWhitespace: true } },
    banner: ({ moduleIds }) => notices(moduleIds),
  });
  await bundle.close();
  mkdirSync(folder, { recursive: true });
  for (const { fileName, code } of output) writeFileSync(join(folder, fileName), inAscii(code));
}

/** Escapes other characters: Node.js reads and compiles a file of ASCII characters alone much faster. */
function inAscii(code) {
  return code.replaceAll(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** A module that reads files beside it finds them from the bundle, which lies in another folder. */
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
