// A store in a folder for use in this process (`--local`): the same control plane without sockets, and the first key, kept beside it.
import { renameSync } from 'node:fs';
import { join } from 'node:path';
import { Secret } from '../base/secret.ts';
import { createControlPlane, type ControlPlane, type ControlPlaneOptions } from './control-plane.ts';
import { authenticate } from './resources/key/key.ts';
import { readOwn, writeDraft } from './store/own-file.ts';

export interface LocalControlPlane {
  readonly controlPlane: ControlPlane;
  /** The key that `DIR/root-key` holds. */
  readonly rootKey: Secret;
  /** The store's own id, drawn when it was made: it stays when the folder is moved, and a new store has another. */
  readonly storeId: string;
}

/** Opens the store in `folder`, or makes it. Throws StoreError; reason `held` carries the pid of the process that has it. */
export function openLocalControlPlane(
  folder: string,
  options: Omit<ControlPlaneOptions, 'store'> = {},
): LocalControlPlane {
  const controlPlane = createControlPlane({ ...options, store: folder });
  try {
    const rootKey = new Secret((readOwn(storeRootKey(folder, controlPlane)) ?? '').trim());
    return { controlPlane, rootKey, storeId: controlPlane.engine.state.meta.account.id };
  } catch (error) {
    controlPlane.close();
    throw error;
  }
}

const FILE = 'root-key';

/** Writes `DIR/root-key` (0600) for a new store, or when the file is gone or its key no longer valid. Returns its path. */
export function storeRootKey(folder: string, controlPlane: ControlPlane): string {
  const file = join(folder, FILE);
  const kept = readOwn(file)?.trim();
  if (kept !== undefined && controlPlane.rootKey === undefined && authenticate(controlPlane.engine, kept) !== undefined)
    return file;
  renameSync(writeDraft(file, `${(controlPlane.rootKey ?? controlPlane.issueKey('root')).reveal()}\n`), file);
  return file;
}
