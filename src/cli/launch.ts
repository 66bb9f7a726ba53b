#!/usr/bin/env node
// The first file that Node.js reads: starts the bundled program of the same name, already compiled where the build was made by this V8.
import { readFileSync, realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { Script } from 'node:vm';

interface Part {
  exports: unknown;
}

type Wrapper = (exports: unknown, require: (id: string) => unknown, part: Part, file: string, dir: string) => void;
/** The parts that one command runs, in one text: read and compiled at once. */
type Pack = Readonly<Record<string, Wrapper>>;

/** Set by the build alone, which runs the program to learn what each command takes, and is worth compiling ahead. */
interface Learning {
  readonly pack: Script | null;
  readonly taken: Set<string>;
}

/** Where this file stands, also when Node.js was told to keep the name of a link. */
const self = realpathSync.native(import.meta.filename);
const folder = join(dirname(self), 'code');
const { trueupLearning: learning } = globalThis as { trueupLearning?: Learning };

/** The pack of the command; that of another one, which shares most of it; null for another V8. */
function packFor(word: string | undefined): Pack | null {
  if (learning !== undefined) return learning.pack === null ? {} : (learning.pack.runInThisContext() as Pack);
  const { version, versions, platform, arch } = process;
  const compiled = join(folder, 'compiled', [version, versions.v8, platform, arch].join('-'));
  return (
    (word !== undefined && /^[a-z-]{1,20}$/.test(word) ? readPack(compiled, word) : null) ?? readPack(compiled, 'plan')
  );
}

/** V8 checks its version, its flags and the length of the text itself, and compiles the text where anything differs. */
function readPack(compiled: string, name: string): Pack | null {
  try {
    const cachedData = readFileSync(join(compiled, name));
    const text = readFileSync(join(compiled, `${name}.js`), 'latin1');
    // The compiled code keeps the name: that of no machine.
    return new Script(text, { filename: `trueup/${name}.js`, cachedData }).runInThisContext() as Pack;
  } catch {
    return null;
  }
}

const loaded = new Map<string, Part>();

function load(name: string, pack: Pack): unknown {
  const known = loaded.get(name);
  if (known !== undefined) return known.exports;
  const part: Part = { exports: {} };
  loaded.set(name, part);
  learning?.taken.add(name);
  const wrapper = pack[name] ?? compiledNow(name);
  wrapper(part.exports, (id) => requireFrom(id, pack), part, join(folder, name), folder);
  return part.exports;
}

function compiledNow(name: string): Wrapper {
  const text = readFileSync(join(folder, name), 'utf8');
  const wrapped = `(function (exports, require, module, __filename, __dirname) { ${text}\n})`;
  return new Script(wrapped, { filename: `trueup/${name}` }).runInThisContext() as Wrapper;
}

function requireFrom(id: string, pack: Pack): unknown {
  if (id.startsWith('./')) return load(id.slice(2), pack);
  return process.getBuiltinModule(id) ?? createRequire(join(folder, 'package.js'))(id);
}

const entry = basename(self);
const pack = packFor(process.argv[2]);
if (pack === null) createRequire(self)(join(folder, entry));
else load(entry, pack);
