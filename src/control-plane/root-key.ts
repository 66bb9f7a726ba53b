// The first API key of a store in a folder: kept beside it, for its owner alone.
import { closeSync, existsSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { ControlPlane } from './control-plane.ts';
import { authenticate } from './services/keys.ts';
import { ownPid } from './store/process-identity.ts';

const FILE = 'root-key';

/** Writes `DIR/root-key` (0600) for a new store, or when the file is gone or its key no longer valid. Returns its path. */
export function storeRootKey(folder: string, controlPlane: ControlPlane): string {
  const file = join(folder, FILE);
  const kept = existsSync(file) ? readFileSync(file, 'utf8').trim() : undefined;
  if (kept !== undefined && controlPlane.rootKey === undefined && isValid(controlPlane, kept)) return file;
  writeOwnerOnly(file, `${(controlPlane.rootKey ?? controlPlane.issueKey('root')).reveal()}\n`);
  return file;
}

function isValid(controlPlane: ControlPlane, value: string): boolean {
  return authenticate(controlPlane.engine, value) !== undefined;
}

function writeOwnerOnly(file: string, text: string): void {
  const { draft, handle } = newDraft(file, 0);
  try {
    writeSync(handle, text);
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
  renameSync(draft, file);
}

const MAX_DRAFTS = 20;

/** A file that nobody has laid there. */
function newDraft(file: string, number: number): { readonly draft: string; readonly handle: number } {
  const draft = `${file}.${ownPid}.${number}.tmp`;
  try {
    return { draft, handle: openSync(draft, 'wx', 0o600) };
  } catch (error) {
    const isTaken = error instanceof Error && 'code' in error && error.code === 'EEXIST';
    if (!isTaken || number === MAX_DRAFTS) throw error;
    return newDraft(file, number + 1);
  }
}
