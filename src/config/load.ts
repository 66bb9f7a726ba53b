// Loads the desired state: reads, parses, validates, merges and resolves the files. Collects all problems, and throws none.
import { picked } from '../base/picked.ts';
import type { DesiredState } from '../model/desired.ts';
import { hasErrors, type Diagnostic } from '../model/diagnostic.ts';
import type { Sources } from '../model/source.ts';
import { boundedMap } from './check/bounds.ts';
import { completeTree, validateTree, type Checking, type Shape } from './check/validate.ts';
import { resourceAt, resolveState } from './resolve/resolve-state.ts';
import { mergeFiles, type Merged, type SafetyBlock } from './files/merge-files.ts';
import {
  readOne,
  readPaths,
  type FileBytes,
  type FileReader,
  type FileSource,
  decodeText,
} from './files/read-files.ts';
import type { KindSection } from './kind-section.ts';
import { newBudget, createReport, type Report } from './report.ts';
import { parseText } from './yaml/parse.ts';
import { maskSecrets, maskSpans } from './yaml/show.ts';
import { mapWith, openingOf, type MapNode, type TextFile, type TreeEntry } from './yaml/source-tree.ts';
import type { Variables, Variable } from './yaml/variables.ts';
import { isJsonObject, objectOf, parseJson, RefusedJson, type Json, type JsonObject } from '../base/json.ts';

export interface LoadInput {
  /** Files, folders (their *.yaml and *.yml files and those of subfolders, sorted) and `-` for stdin. */
  readonly paths: readonly string[];
  /** Paths of overlay files. Their values win over those of `paths`, and a later overlay wins over an earlier one. */
  readonly overlays?: readonly string[];
  /** The absolute path from which relative paths start. */
  readonly cwd: string;
  readonly stdin: () => Promise<Uint8Array>;
  /** `flags` and `env` hold texts by variable name (without the TRUEUP_VAR_ prefix); `files` are paths. Flags win over files, files over `env`. */
  readonly variables: {
    readonly flags: ReadonlyMap<string, string>;
    readonly files: readonly string[];
    readonly env: ReadonlyMap<string, string>;
  };
  /** Paths of files that hold a `safety` block, or only the content of such a block. */
  readonly safetyFiles?: readonly string[];
  readonly kinds: readonly KindSection[];
  readonly files: FileReader;
  readonly maxEntries?: number | undefined;
}

export interface LoadResult {
  /** Null if a diagnostic is an error. */
  readonly desired: DesiredState | null;
  /** The state that the valid parts of the files declare, even after an error. It is enough to find the projects that the files name. */
  readonly inPart: DesiredState;
  readonly diagnostics: readonly Diagnostic[];
  /** The texts of files by name, with masked credentials. */
  readonly sources: Sources;
}

interface Loading extends FileSource, Checking {
  readonly input: LoadInput;
  readonly sources: Map<string, string>;
  readonly variables: Variables;
}

export async function loadDesired(input: LoadInput): Promise<LoadResult> {
  const report = createReport();
  const sources = new Map<string, string>();
  const budget = newBudget(input.maxEntries);
  const source: FileSource = { ...picked(input, ['files', 'cwd', 'stdin']), report, budget };
  const variables = await loadVariables(input, source, sources);
  const damaged = new Set<string>();
  const loading: Loading = {
    ...source,
    input,
    sources,
    variables,
    lacking: [],
    refused: new Set(),
    addressAt(path) {
      const address = resourceAt(path, input.kinds)?.address;
      if (address !== undefined) damaged.add(address);
      return address;
    },
  };
  const read = await readPaths(input.paths, input.overlays ?? [], source);
  const files = loadTrees(read.files, loading);
  const merged = await withSafetyFiles(mergeFiles(files, loadTrees(read.overlays, loading), report), loading);
  const root = completeTree(merged.root, loading);
  report.endStage();
  const desired = resolveState({ merged: { ...merged, root }, kinds: input.kinds, report, budget, damaged });
  const diagnostics = [...report.diagnostics].sort(byPlace(sources));
  return { desired: hasErrors(diagnostics) ? null : desired, inPart: desired, diagnostics, sources };
}

/** Collects variables from `env`, then files (JSON or the output of `terraform output -json`), then flags. A later value wins. */
async function loadVariables(
  { variables: { env, files, flags } }: LoadInput,
  source: FileSource,
  sources: Map<string, string>,
): Promise<Variables> {
  const variables = new Map<string, Variable>();
  for (const [name, value] of env) variables.set(name, plain(value));
  for (const file of files) {
    const bytes = await readOne(file, source, 'Check the path after --var-file.');
    const text = bytes === null ? null : decodeText(file, bytes, source.report);
    if (text === null) continue;
    sources.set(file, maskSecrets(text.text));
    const values = readValues(text, source.report);
    for (const name of Object.keys(values)) variables.set(name, variableOf(values[name] ?? null));
  }
  for (const [name, value] of flags) variables.set(name, plain(value));
  return variables;
}

function loadTrees(files: readonly FileBytes[], loading: Loading): readonly MapNode[] {
  const roots: MapNode[] = [];
  for (const file of files) {
    if (loading.budget.entries < 0 || loading.budget.written < 0 || loading.report.isFull) break;
    const root = loadTree(file, 'DesiredStateFile', loading);
    if (root !== null) roots.push(root);
  }
  return roots;
}

function loadTree({ file, bytes }: FileBytes, shape: Shape, loading: Loading): MapNode | null {
  const { report, sources, variables, budget } = loading;
  const text = decodeText(file, bytes, report);
  if (text === null) {
    sources.set(file, maskSecrets(new TextDecoder().decode(bytes)));
    return null;
  }
  const { root, secrets } = parseText({ text, variables, report, budget });
  sources.set(file, maskSecrets(maskSpans(text.text, secrets)));
  if (root === null) return null;
  if (shape === 'DesiredStateFile' && root.entries.has('trueup') && root.entries.has('resource_changes')) {
    const hint = `To apply the plan: trueup apply ${file}. To read the plan: trueup show ${file}.`;
    report.add('saved_plan', 'this is a saved plan, not a file of desired state', openingOf(root), { hint });
    return null;
  }
  const written = shape === 'SafetyFile' ? asSafetyFile(root) : root;
  const shaped = boundedMap(written, shape, report);
  report.endStage();
  return validateTree(shaped, shape, loading);
}

/** Puts the limits of a safety file below `safety`, because the file may write them at its top level. */
function asSafetyFile(root: MapNode): MapNode {
  if (root.entries.has('safety')) return root;
  const limits = new Map(root.entries);
  const version = limits.get('version');
  limits.delete('version');
  const entries = new Map<string, TreeEntry>([['safety', { key: openingOf(root), value: mapWith(root, limits) }]]);
  if (version !== undefined) entries.set('version', version);
  return mapWith(root, entries);
}

async function withSafetyFiles(merged: Merged, loading: Loading): Promise<Merged> {
  const safety: SafetyBlock[] = [...merged.safety];
  for (const file of loading.input.safetyFiles ?? []) {
    const bytes = await readOne(file, loading, 'Check the path after --safety, or in TRUEUP_SAFETY_FILE.');
    const root = bytes === null ? null : loadTree({ file, bytes }, 'SafetyFile', loading);
    const block = root?.entries.get('safety')?.value;
    if (block?.kind === 'map') safety.push({ project: null, node: block, isOperators: true });
  }
  return { ...merged, safety };
}

/** Sorts problems by file, in the order of reading, then by position. Those without a position come first, `too_many_problems` last. */
function byPlace(sources: Sources): (a: Diagnostic, b: Diagnostic) => number {
  const order = new Map([...sources.keys()].map((file, at) => [file, at] as const));
  const rank = ({ code, range }: Diagnostic): number =>
    code === 'too_many_problems' ? Infinity : (order.get(range?.file ?? '') ?? -1);
  return (a, b) => rank(a) - rank(b) || (a.range?.start.offset ?? 0) - (b.range?.start.offset ?? 0);
}

const SHAPE = 'Give a JSON object of names and values, or the output of `terraform output -json`.';

function readValues(file: TextFile, report: Report): JsonObject {
  const refuse = (problem: string, hint?: string): JsonObject => {
    report.add('variable_file', `${file.file} ${problem}`, { text: file, start: 0, end: 0 }, { hint });
    return {};
  };
  let value: Json;
  try {
    value = parseJson(file.text);
  } catch (error) {
    return error instanceof RefusedJson
      ? refuse(`cannot be read: ${error.message}`)
      : refuse('is not valid JSON', SHAPE);
  }
  return isJsonObject(value) ? value : refuse('holds no JSON object', SHAPE);
}

/** Reads a plain value, or an output of Terraform, such as `{ "sensitive": false, "type": "string", "value": "…" }`. */
function variableOf(member: Json): Variable {
  const { value, type, sensitive } = objectOf(member);
  if (value === undefined || (type === undefined && sensitive === undefined)) return plain(member);
  return { value, sensitive: sensitive === true };
}

function plain(value: Json): Variable {
  return { value, sensitive: false };
}
