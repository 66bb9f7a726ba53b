// Opens the sinks that a declaration names: `{file: NAME}` or `{exec: NAME}`.
import { delimiter, resolve } from 'node:path';
import { findProgram, foldersOutside, type Ground } from '../../base/files/find-program.ts';
import { isWithin } from '../../base/files/plain-file.ts';
import { realAsFar, workTreesAround } from '../../base/files/work-tree.ts';
import { inert } from '../../base/text/inert.ts';
import type { JsonObject } from '../../base/json.ts';
import type { Secret } from '../../base/secret.ts';
import { didYouMean } from '../../base/text/words.ts';
import { matchesGlob } from '../../model/address.ts';
import { errorOf, hasErrors, warningOf, type Diagnostic } from '../../model/diagnostic.ts';
import type { FileSystem } from '../file-system.ts';
import { execNameProblem, execSink } from './exec-sink.ts';
import { fileSink } from './file-sink.ts';
import type { RecordShape, SecretSink } from './sink.ts';
import type { RunProgram } from './run-program.ts';
import { fileNameProblem } from './secret-folder.ts';

export interface SinkOptions extends Ground {
  /** Absolute, or relative to `workDir`; null if this machine has no folder for file sinks. */
  readonly secretsDir: string | null;
  readonly secretsProblem: Diagnostic | null;
  /** The program for each sink name, or pattern of names with `*`, as declared by `--sink NAME=PROGRAM`. */
  readonly declared: ReadonlyMap<string, string>;
  readonly fileSystem: FileSystem;
  readonly run: RunProgram;
  /** The environment of trueup; a program gets only a part of it. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Values that must not reach the environment of a program. */
  readonly confidential: readonly Secret[];
  /** True in CI, where the files of this machine may be gone after the run. */
  readonly ci: boolean;
  /** The id of this run: letters, digits, `-` and `_`. */
  readonly runId: string;
}

/** The sinks in the order of their targets; none if a diagnostic is an error. The caller adds the address to the diagnostics. */
interface OpenedSinks {
  readonly sinks: readonly SecretSink[];
  readonly diagnostics: readonly Diagnostic[];
}

/** Creates the sinks without reading or writing them. */
export function openSinks(targets: readonly JsonObject[], shape: RecordShape, options: SinkOptions): OpenedSinks {
  const sinks: SecretSink[] = [];
  const diagnostics: Diagnostic[] = [];
  const seen = new Set<string>();
  for (const target of targets) {
    const opened = openOne(target, { ...options, shape });
    diagnostics.push(...opened.diagnostics);
    if (opened.sink === null) continue;
    // On a case-insensitive file system, two spellings can mean one file.
    const identity = opened.sink.label.toLowerCase();
    if (seen.has(identity))
      diagnostics.push(errorOf('sink_twice', `the sink ${opened.sink.label} is named twice`, 'Name each sink once.'));
    seen.add(identity);
    sinks.push(opened.sink);
  }
  return { sinks: hasErrors(diagnostics) ? [] : sinks, diagnostics };
}

type Opened = { readonly sink: SecretSink | null; readonly diagnostics: readonly Diagnostic[] };

interface Opening extends SinkOptions {
  readonly shape: RecordShape;
}

function openOne(target: JsonObject, options: Opening): Opened {
  const { file, exec } = target;
  if (typeof file === 'string' && exec === undefined) return openFile(file, options);
  if (typeof exec === 'string' && file === undefined) return openExec(exec, options);
  const message = 'a sink is either `file` or `exec`';
  return refused(errorOf('sink_unknown', message, 'Write { file: NAME } or { exec: NAME }.'));
}

function openFile(name: string, options: Opening): Opened {
  const problem = fileNameProblem(name);
  if (problem !== null) return refused(errorOf('sink_name', `bad file name ${inert(JSON.stringify(name))}`, problem));
  const { secretsDir } = options;
  if (secretsDir === null) return refused(NO_FOLDER);
  if (options.secretsProblem !== null) return refused(options.secretsProblem);
  const message = `the secret goes to file:${name} on a build machine, and is lost with that machine`;
  const warning = warningOf('sink_on_ci', message, 'Use an exec sink that writes to a secret store.');
  return { sink: fileSink({ ...options, secretsDir, name }), diagnostics: options.ci ? [warning] : [] };
}

function openExec(name: string, options: Opening): Opened {
  const problem = execNameProblem(name);
  if (problem !== null) return refused(errorOf('sink_name', `bad exec name ${inert(JSON.stringify(name))}`, problem));
  const program = programFor(name, options.declared);
  if (program !== undefined && program !== '') {
    const refusal = programProblem(name, program, options);
    if (refusal !== null) return refused(refusal);
    return { sink: execSink({ ...options, env: childEnvironment(options), name, program }), diagnostics: [] };
  }
  const near = didYouMean(name, options.declared.keys());
  const hint = near === undefined ? '' : ` Did you mean ${inert(near)}?`;
  const message = `no program is declared for the sink exec:${name}`;
  return refused(
    errorOf('sink_undeclared', message, `Declare the program on the command line: --sink ${name}=PROGRAM.${hint}`),
  );
}

function refused(diagnostic: Diagnostic): Opened {
  return { sink: null, diagnostics: [diagnostic] };
}

const NO_FOLDER = errorOf(
  'sink_unusable',
  'there is no secrets folder: HOME names no existing folder',
  'Name a folder with --secrets-dir, TRUEUP_SECRETS_DIR or TRUEUP_STATE_DIR.',
);

/** Returns an error if `secretsDir` lies in the work tree of `workDir` or of an input, because a commit could publish the secrets; else null. */
export function secretsFolderProblem(
  secretsDir: string,
  workDir: string,
  inputs: readonly string[],
): Diagnostic | null {
  const real = realAsFar(resolve(workDir, secretsDir));
  const trees = ['.', ...inputs].map((path) => workTreesAround(resolve(workDir, path))[0]);
  const tree = trees.find((one) => one !== undefined && isWithin(one, real));
  if (tree === undefined) return null;
  const message = `the secrets folder ${inert(real, 300)} lies in the work tree ${inert(tree, 300)}, so a commit could publish it`;
  return errorOf(
    'secrets_in_work_tree',
    message,
    'Name a folder outside the work tree with --secrets-dir or TRUEUP_SECRETS_DIR.',
  );
}

export function programProblem(
  name: string,
  program: string,
  { env, ...ground }: Ground & Pick<SinkOptions, 'env'>,
): Diagnostic | null {
  const found = findProgram(program, ground, env['PATH']);
  const shown = `${inert(name, 200)}=${inert(program, 300)}`;
  const hint = `Give the absolute path of a program outside the work tree, or a name on PATH.`;
  if (found.state === 'relative')
    return errorOf('sink_undeclared', `--sink ${shown} is neither an absolute path nor a name on PATH`, hint);
  if (found.state !== 'in_tree') return null;
  const message = `--sink ${shown} lies in the work tree ${inert(found.tree, 300)}; trueup runs no program from a work tree`;
  return errorOf('program_in_work_tree', message, hint);
}

function programFor(name: string, declared: SinkOptions['declared']): string | undefined {
  const patterns = [...declared.keys()].filter((pattern) => pattern.includes('*') && matchesGlob(pattern, name));
  const [longest = name] = patterns.sort((a, b) => b.length - a.length || (a < b ? -1 : 1));
  return declared.get(name) ?? declared.get(longest);
}

/** Returns the environment for a program: without variables of trueup and the service, confidential values, and PATH folders in a work tree. */
function childEnvironment({ env, confidential, trees }: SinkOptions): Readonly<Record<string, string>> {
  const hidden = confidential.map((secret) => secret.reveal()).filter((text) => text !== '');
  const kept: Record<string, string> = {};
  for (const [name, value] of Object.entries(env)) {
    if (value === undefined || /^(?:TRUEUP|NEON)_/i.test(name)) continue;
    if (hidden.some((text) => value.includes(text))) continue;
    kept[name] = value;
  }
  return { ...kept, PATH: foldersOutside(trees, env['PATH']).join(delimiter) };
}
