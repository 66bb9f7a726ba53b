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

/** Where this file stands, also when Node.js was told to keep the name of a link. */
const self = realpathSync(import.meta.filename);
const folder = join(dirname(self), 'code');
const compiled = join(
  folder,
  'compiled',
  [process.version, process.versions.v8, process.platform, process.arch].join('-'),
);
const loaded = new Map<string, Part>();
/** Set by the build alone, which runs the program to learn what is worth compiling ahead. */
const { trueupScripts: learnt } = globalThis as { trueupScripts?: Map<string, Script> };

/** The compiled code of a module; undefined for another V8, or a module that was not compiled ahead. */
function compiledCode(name: string): Buffer | undefined {
  try {
    return readFileSync(join(compiled, name));
  } catch {
    return undefined;
  }
}

function load(name: string, code: Buffer | undefined = compiledCode(name)): unknown {
  const known = loaded.get(name);
  if (known !== undefined) return known.exports;
  const part: Part = { exports: {} };
  loaded.set(name, part);
  const script = learnt?.get(name) ?? scriptOf(name, code);
  learnt?.set(name, script);
  (script.runInThisContext() as Wrapper)(part.exports, requireFrom, part, join(folder, name), folder);
  return part.exports;
}

/** V8 checks its version, its flags and the length of the text itself, and compiles the text where anything differs. */
function scriptOf(name: string, code: Buffer | undefined): Script {
  // The compiled code keeps the name: that of no machine.
  const filename = `trueup/${name}`;
  const text = readFileSync(join(folder, name), 'utf8');
  const wrapped = `(function (exports, require, module, __filename, __dirname) { ${text}\n})`;
  return new Script(wrapped, code === undefined ? { filename } : { filename, cachedData: code });
}

function requireFrom(id: string): unknown {
  if (id.startsWith('./')) return load(id.slice(2));
  return process.getBuiltinModule(id) ?? createRequire(join(folder, 'package.js'))(id);
}

const entry = basename(self);
const code = compiledCode(entry);
if (code === undefined && learnt === undefined) createRequire(self)(join(folder, entry));
else load(entry, code);
