// The entry of this folder: from what the file names (`{file: NAME}`, `{exec: NAME}`) to sinks that can be used.
import { inert } from '../../base/text/inert.ts';
import type { JsonObject } from '../../base/json.ts';
import type { Secret } from '../../base/secret.ts';
import { didYouMean } from '../../base/text/words.ts';
import { matchesGlob } from '../../model/address.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { FileSystem } from '../folder/file-system.ts';
import { execNameProblem, execSink } from './exec-sink.ts';
import { fileSink } from './file-sink.ts';
import type { RecordShape } from './record.ts';
import type { RunProgram } from './run-program.ts';
import { fileNameProblem } from './secret-folder.ts';
import type { SecretSink } from './sink.ts';

export { killPrograms, programRunner } from './run-program.ts';
export type { RunProgram } from './run-program.ts';
export type { SecretSink } from './sink.ts';

/** Folder of file sinks when the operator names none; relative to the working folder. */
export const DEFAULT_SECRETS_DIR: string = '.trueup/secrets';

export interface SinkOptions {
  /** As the operator gave it, relative to `workDir`. */
  readonly secretsDir: string;
  /** The folder that the user works in, absolute. */
  readonly workDir: string;
  /** Programs that the operator declared, by name or by a pattern of names. */
  readonly declared: ReadonlyMap<string, string>;
  readonly fileSystem: FileSystem;
  readonly run: RunProgram;
  /** The whole environment; what children get of it is chosen here. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Values that no child may see in its environment, under whatever name. */
  readonly confidential: readonly Secret[];
  /** Whether the machine may vanish after the run. */
  readonly ci: boolean;
  /** Id of this run: letters, digits, `-` and `_`. */
  readonly runId: string;
  /** Whether the run of that id has ended, so that its temporary files may go. */
  readonly isDeadRun: (runId: string) => boolean | Promise<boolean>;
}

/** Sinks in the order of the targets; none when a diagnostic is an error. Diagnostics bear no address: the caller knows it. */
export interface OpenedSinks {
  readonly sinks: readonly SecretSink[];
  readonly diagnostics: readonly Diagnostic[];
}

/** Opens the sinks that `targets` name, for records of that shape. Touches nothing yet. */
export function openSinks(targets: readonly JsonObject[], shape: RecordShape, options: SinkOptions): OpenedSinks {
  const sinks: SecretSink[] = [];
  const diagnostics: Diagnostic[] = [];
  const env = childEnvironment(options.env, options.confidential);
  const seen = new Set<string>();
  for (const target of targets) {
    const opened = openOne(target, { ...options, shape, env });
    diagnostics.push(...opened.diagnostics);
    if (opened.sink === null) continue;
    // A case-insensitive file system takes two spellings for one file.
    const identity = opened.sink.label.toLowerCase();
    if (seen.has(identity))
      diagnostics.push(error('sink_twice', `the sink ${opened.sink.label} is named twice`, 'Name each sink once.'));
    seen.add(identity);
    sinks.push(opened.sink);
  }
  const failed = diagnostics.some((diagnostic) => diagnostic.severity === 'error');
  return { sinks: failed ? [] : sinks, diagnostics };
}

type Opened = { readonly sink: SecretSink | null; readonly diagnostics: readonly Diagnostic[] };

interface Opening extends Omit<SinkOptions, 'env'> {
  readonly shape: RecordShape;
  /** Of child processes. */
  readonly env: Readonly<Record<string, string>>;
}

function openOne(target: JsonObject, options: Opening): Opened {
  const { file, exec } = target;
  if (typeof file === 'string' && exec === undefined) return openFile(file, options);
  if (typeof exec === 'string' && file === undefined) return openExec(exec, options);
  const message = 'a sink is either a file or an exec';
  return { sink: null, diagnostics: [error('sink_unknown', message, 'Write { file: NAME } or { exec: NAME }.')] };
}

function openFile(name: string, options: Opening): Opened {
  const problem = fileNameProblem(name);
  if (problem !== null)
    return { sink: null, diagnostics: [error('sink_name', `bad file name ${inert(JSON.stringify(name))}`, problem)] };
  const warning: Diagnostic = {
    severity: 'warning',
    code: 'sink_on_ci',
    message: `the secret goes to file:${name} on a build machine, which may vanish with it`,
    hint: 'Use an exec sink that writes to a secret store.',
  };
  return { sink: fileSink({ ...options, name }), diagnostics: options.ci ? [warning] : [] };
}

function openExec(name: string, options: Opening): Opened {
  const problem = execNameProblem(name);
  if (problem !== null)
    return { sink: null, diagnostics: [error('sink_name', `bad exec name ${inert(JSON.stringify(name))}`, problem)] };
  const program = programFor(name, options.declared);
  if (program !== undefined && program !== '')
    return { sink: execSink({ ...options, name, program }), diagnostics: [] };
  const near = didYouMean(name, options.declared.keys());
  const hint = near === undefined ? '' : ` Did you mean ${inert(near)}?`;
  const message = `no program is declared for the sink exec:${name}`;
  return {
    sink: null,
    diagnostics: [error('sink_undeclared', message, `Declare it on the command line: --sink ${name}=PROGRAM.${hint}`)],
  };
}

/** By its name; else by the longest pattern that covers it. */
function programFor(name: string, declared: SinkOptions['declared']): string | undefined {
  const patterns = [...declared.keys()].filter((pattern) => pattern.includes('*') && matchesGlob(pattern, name));
  const [longest = name] = patterns.sort((a, b) => b.length - a.length || (a < b ? -1 : 1));
  return declared.get(name) ?? declared.get(longest);
}

function error(code: string, message: string, hint: string): Diagnostic {
  return { severity: 'error', code, message, hint };
}

/** Without this tool's own variables and the service's, and without any that holds a confidential value. */
function childEnvironment(
  env: Readonly<Record<string, string | undefined>>,
  confidential: readonly Secret[],
): Readonly<Record<string, string>> {
  const hidden = confidential.map((secret) => secret.reveal()).filter((text) => text !== '');
  const kept: Record<string, string> = {};
  for (const [name, value] of Object.entries(env)) {
    if (value === undefined || /^(?:TRUEUP|NEON)_/i.test(name)) continue;
    if (hidden.some((text) => value.includes(text))) continue;
    kept[name] = value;
  }
  return kept;
}
