// How the bundle differs from the sources: what is left out of libraries, what is loaded late, where modules stand.
import { readFileSync } from 'node:fs';
import { basename, dirname, join, relative, sep } from 'node:path';

/** The parts of undici that are used: its main module loads ten times as much. */
const UNDICI = ['pool', 'proxy-agent'];
/** What its main module adds to each dispatcher, as far as the way through a proxy takes it. */
const TUNNEL = `import Dispatcher from 'undici/lib/dispatcher/dispatcher.js';
import connect from 'undici/lib/api/api-connect.js';
Dispatcher.prototype.connect = connect;`;
const AS_NAMES = { pool: 'Pool', 'proxy-agent': 'ProxyAgent' };

/** What undici asks for and this program never reaches: HTTP/2, bodies of fetch, the client of Node.js itself; and a small `assert`. */
const UNREACHED = {
  'node:http': 'module.exports = { IncomingMessage: class {}, maxHeaderSize: 16_384 };',
  'node:assert': `module.exports = (holds, message = 'an assertion of undici') => {
    if (!holds) throw Object.assign(new Error(String(message)), { code: 'ERR_ASSERTION' });
  };`,
  './client-h2.js': 'module.exports = () => { throw new Error("HTTP/2 is switched off"); };',
  '../web/fetch/body.js': 'module.exports = {};',
};

export const isUnreached = (id, importer = '') =>
  Object.hasOwn(UNREACHED, id) && /[\\/]node_modules[\\/]undici[\\/]/.test(importer);

export function slimUndici() {
  const slim = '\0undici';
  const unreached = '\0unreached:';
  return {
    name: 'slim-undici',
    resolveId: (id, importer) => (id === 'undici' ? slim : isUnreached(id, importer) ? unreached + id : null),
    load(id) {
      if (id.startsWith(unreached)) return UNREACHED[id.slice(unreached.length)];
      if (id !== slim) return null;
      const part = (name) => `export { default as ${AS_NAMES[name]} } from 'undici/lib/dispatcher/${name}.js';`;
      return [...UNDICI.map(part), TUNNEL].join('\n');
    },
  };
}

/** picocolors looks at standard output as soon as it is loaded, which opens it. Here it is always told whether to colour. */
export function deafColours() {
  const look = '(p.stdout || {}).isTTY';
  return {
    name: 'deaf-colours',
    transform(code, id) {
      if (!/[\\/]node_modules[\\/]picocolors[\\/]/.test(id)) return null;
      if (!code.includes(look)) throw new Error(`${id} looks otherwise than it did: is a terminal opened early?`);
      return { code: code.replace(look, 'false'), map: null };
    },
  };
}

/** Modules of Node.js that take long to load, and the functions of each that the program calls: loaded at the first call. */
const LATE = {
  'node:child_process': ['execFileSync', 'spawn'],
  'node:crypto': ['createHash', 'createHmac', 'hash', 'randomBytes', 'timingSafeEqual'],
  'node:fs/promises': ['chmod', 'lstat', 'mkdir', 'open', 'readdir', 'realpath', 'rename', 'stat', 'unlink'],
  'node:module': ['createRequire'],
  'node:os': ['hostname', 'platform', 'tmpdir'],
  'node:readline/promises': ['createInterface'],
  'node:timers/promises': ['setImmediate', 'setTimeout'],
  'node:tty': ['isatty'],
  'node:zlib': ['crc32', 'gzipSync'],
};
/** Never used here (the client speaks HTTP/1.1): what undici itself takes where Node.js was built without it. */
const ABSENT = { 'node:http2': 'module.exports = { constants: {} };' };

export const isLate = (id) => Object.hasOwn(LATE, id) || Object.hasOwn(ABSENT, id);

export function lateModules() {
  const mark = '\0late:';
  return {
    name: 'late-modules',
    resolveId: (id) => (isLate(id) ? mark + id : null),
    load(id) {
      if (!id.startsWith(mark)) return null;
      const name = id.slice(mark.length);
      if (Object.hasOwn(ABSENT, name)) return ABSENT[name];
      const late = (call) =>
        `export const ${call} = (...words) => process.getBuiltinModule(${JSON.stringify(name)}).${call}(...words);`;
      return LATE[name].map(late).join('\n');
    },
  };
}

/** What planning reads: each of these has a validator file of its own, the other shapes of the wire share one. */
const READ_TO_PLAN = new Set(['ApiKeyList', 'EndpointList', 'OperationList', 'ProjectList']);

/** The generated validators of `dist`: by room, the names of their shapes. */
function shapesOf(root, room) {
  const declared = readFileSync(join(root, 'dist', room, 'generated', 'validators.d.ts'), 'utf8');
  return [...declared.matchAll(/^export declare const (\w+):/gm)].map(([, name]) => name);
}

const fileOf = (room, shape) => (room === 'api' && !READ_TO_PLAN.has(shape) ? 'check-api' : `check-${room}-${shape}`);

/** Validators are large, and few of them are needed: each is loaded when it first checks something. */
export function lateValidators(root) {
  const mark = '\0validators:';
  return {
    name: 'late-validators',
    resolveId(id, importer) {
      if (id.startsWith('./check-')) return { id, external: true };
      if (basename(id) !== 'validators.js' || importer === undefined) return null;
      const [room] = relative(join(root, 'src'), join(dirname(importer), id)).split(sep);
      return mark + room;
    },
    load(id) {
      if (!id.startsWith(mark)) return null;
      const room = id.slice(mark.length);
      const late = (shape) => `export function ${shape}(value) {
        const check = require('./${fileOf(room, shape)}.js').${shape};
        const fits = check(value);
        ${shape}.errors = check.errors;
        return fits;
      }`;
      return shapesOf(root, room).map(late).join('\n');
    },
  };
}

/** The files that `lateValidators` asks for: name → the module to pack. */
export function validatorFiles(root, rooms) {
  const files = new Map();
  for (const room of rooms)
    for (const shape of shapesOf(root, room)) {
      const file = fileOf(room, shape);
      files.set(file, { room, shapes: [...(files.get(file)?.shapes ?? []), shape] });
    }
  return new Map(
    [...files].map(([file, { room, shapes }]) => [
      file,
      `export { ${shapes.join(', ')} } from ${JSON.stringify(join(root, 'dist', room, 'generated', 'validators.js'))};`,
    ]),
  );
}

/** One module that exists nowhere. */
export function module(name, text) {
  return {
    name: 'module',
    resolveId: (id) => (id === name ? `\0${name}` : null),
    load: (id) => (id === `\0${name}` ? text : null),
  };
}

/** A module that asks where it stands (for files beside it) goes on standing where its source does. */
export function placesOfModules(source, folder) {
  return {
    name: 'places-of-modules',
    transform(code, id) {
      if (!id.startsWith(source) || !code.includes('import.meta.url')) return null;
      const place = relative(folder, id).split(sep).join('/');
      return {
        code: code.replaceAll(
          'import.meta.url',
          `new URL(${JSON.stringify(place)}, process.getBuiltinModule('node:url').pathToFileURL(__filename)).href`,
        ),
        map: null,
      };
    },
  };
}
