// `drift --for N`: in how many runs in a row each difference was seen, kept in one small file; all else about drift writes nothing.
import { realpathSync } from 'node:fs';
import { join } from 'node:path';
import { errorCode } from '../../base/error-code.ts';
import {
  compareText,
  digestOf,
  isJsonObject,
  parseJson,
  stringifyJson,
  type Json,
  type JsonObject,
} from '../../base/json.ts';
import { readPlain } from '../../base/files/plain-file.ts';
import { nodeFileSystem } from '../../apply/folder/file-system.ts';
import { ensureStateFolder } from '../../apply/folder/state-folder.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { DriftReport } from '../../model/outcome/drift.ts';
import { findingsOf } from '../../render/view/findings.ts';
import { writeWhole } from '../process/files.ts';
import type { Io } from '../process/io.ts';
import type { Shard } from '../program/flags.ts';

/** A difference, and in how many runs in a row it has been seen by now. */
export interface Streak {
  readonly fingerprint: string;
  readonly address: string;
  readonly runs: number;
}

/** Which runs count as one row: those that compare the same files with the same service. */
export interface RowOfRuns {
  readonly baseUrl: string;
  readonly files: readonly string[];
  readonly target: readonly string[];
  readonly exclude: readonly string[];
  readonly shard: Shard | null;
}

const FILE = 'drift-runs.json';
const VERSION = 1;
/** Rows beyond this number are forgotten, the oldest first. */
const MOST_ROWS = 100;

/**
 * Counts this run's differences on from the run before. One that is gone begins anew when it comes back; one whose project
 * could not be read or compared keeps its count, as nobody knows.
 */
export function countOn(before: readonly Streak[], report: DriftReport): readonly Streak[] {
  const earlier = new Map(before.map((streak) => [streak.fingerprint, streak]));
  const seen = findingsOf(report)
    .filter(({ drift }) => drift)
    .map(({ fingerprint, address }) => ({ fingerprint, address, runs: (earlier.get(fingerprint)?.runs ?? 0) + 1 }));
  const gaps = [...report.unread.map(({ what }) => what), ...report.unplanned.map(({ project }) => project)];
  const unread = gaps.flatMap((what) => [what, `${what}/`]);
  const kept = before.filter(
    ({ fingerprint, address }) =>
      unread.some((what) => address === what || (what.endsWith('/') && address.startsWith(what))) &&
      !seen.some((streak) => streak.fingerprint === fingerprint),
  );
  return [...seen, ...kept].sort((a, b) => compareText(a.fingerprint, b.fingerprint));
}

export interface Counted {
  readonly streaks: readonly Streak[];
  /** Null when the counts could not be kept: then nothing may wait for more runs. */
  readonly kept: boolean;
  readonly diagnostics: readonly Diagnostic[];
}

/** Counts this run in the file of the state folder. A file that cannot be used is begun anew, with a warning. */
export async function countRun(io: Io, folder: string | null, row: RowOfRuns, report: DriftReport): Promise<Counted> {
  if (folder === null) {
    const why = notKept('HOME names no existing folder');
    return { streaks: countOn([], report), kept: false, diagnostics: [why] };
  }
  const path = join(folder, FILE);
  const { rows, diagnostics } = readRows(path);
  const key = digestOf(row);
  const streaks = countOn(rows.get(key) ?? [], report);
  rows.delete(key);
  rows.set(key, streaks);
  try {
    await ensureStateFolder(nodeFileSystem, folder);
    writeWhole(path, textOf(rows), { io, mode: 0o600 });
    return { streaks, kept: true, diagnostics };
  } catch (error) {
    return { streaks, kept: false, diagnostics: [...diagnostics, notKept((error as Error).message)] };
  }
}

type Rows = Map<string, readonly Streak[]>;

/** More than the rows of many thousand projects take. */
const MAX_BYTES = 16 * 1024 * 1024;

function textAt(path: string): string {
  return Buffer.from(readPlain(realpathSync.native(path), MAX_BYTES)).toString('utf8');
}

function readRows(path: string): { readonly rows: Rows; readonly diagnostics: readonly Diagnostic[] } {
  try {
    return { rows: rowsOf(parseJson(textAt(path))), diagnostics: [] };
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return { rows: new Map(), diagnostics: [] };
    const why = error instanceof SyntaxError ? 'its content is malformed' : (error as Error).message;
    return { rows: new Map(), diagnostics: [damaged(path, why)] };
  }
}

/** Throws SyntaxError for what this version did not write. */
function rowsOf(json: Json): Rows {
  const list = isJsonObject(json) && json['version'] === VERSION ? json['rows'] : undefined;
  if (!Array.isArray(list)) throw new SyntaxError('no rows');
  return new Map((list as readonly Json[]).map((row) => [textIn(row, 'key'), streaksIn(row)]));
}

function streaksIn(row: Json): Streak[] {
  const list = isJsonObject(row) ? row['findings'] : undefined;
  if (!Array.isArray(list)) throw new SyntaxError('no findings');
  return (list as readonly Json[]).map((finding) => {
    const runs = isJsonObject(finding) ? finding['runs'] : undefined;
    if (typeof runs !== 'number' || !Number.isSafeInteger(runs) || runs < 1) throw new SyntaxError('no count');
    return { fingerprint: textIn(finding, 'fingerprint'), address: textIn(finding, 'address'), runs };
  });
}

function textIn(value: Json, name: string): string {
  const text = isJsonObject(value) ? value[name] : undefined;
  if (typeof text !== 'string') throw new SyntaxError(`no ${name}`);
  return text;
}

function textOf(rows: Rows): string {
  const list = [...rows].slice(-MOST_ROWS).map(([key, streaks]): JsonObject => ({
    key,
    findings: streaks.map(({ fingerprint, address, runs }): Json => ({ fingerprint, address, runs })),
  }));
  return `${stringifyJson({ version: VERSION, rows: list }, 2)}\n`;
}

function damaged(path: string, why: string): Diagnostic {
  return {
    severity: 'warning',
    code: 'drift_runs_damaged',
    message: `${path} cannot be used: ${why}`,
    hint: 'Runs are counted from one again.',
  };
}

function notKept(why: string): Diagnostic {
  return {
    severity: 'warning',
    code: 'drift_runs_not_kept',
    message: `runs with a difference cannot be counted: ${why}`,
    hint: 'Every difference raises the alarm at once. Set TRUEUP_STATE_DIR to a writable folder.',
  };
}
