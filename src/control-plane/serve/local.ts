// Opens a control plane without sockets on the store in a folder (`--local`), with its first key beside the store.
import { join } from 'node:path';
import { Secret } from '../../base/secret.ts';
import { createControlPlane, type ControlPlane, type ControlPlaneOptions } from '../control-plane.ts';
import { authenticate } from '../resources/key/handlers.ts';
import { isOpenToOthers, readOwn, writeOwn } from '../store/own-file.ts';

export interface LocalControlPlane {
  readonly controlPlane: ControlPlane;
  readonly rootKey: Secret;
  /** The random id of the store. It stays when the folder is moved; a new store has another. */
  readonly storeId: string;
}

/** Opens or makes the store in `folder`. Throws StoreError; with the reason `held`, it may name the other process (`pid`). */
export function openLocalControlPlane(folder: string, options: Omit<ControlPlaneOptions, 'store'>): LocalControlPlane {
  const controlPlane = createControlPlane({ ...options, store: folder });
  try {
    const rootKey = storeRootKey(folder, controlPlane).key;
    return { controlPlane, rootKey, storeId: controlPlane.engine.meta.account.id };
  } catch (error) {
    controlPlane.close();
    throw error;
  }
}

const FILE = 'root-key';

/** Writes `DIR/root-key` (0600), unless it exists with a valid key and only its owner can read it. */
export function storeRootKey(folder: string, plane: ControlPlane): { readonly file: string; readonly key: Secret } {
  const file = join(folder, FILE);
  const { engine, rootKey } = plane;
  const kept = readOwn(file)?.trim();
  const isValid = kept !== undefined && rootKey === undefined && authenticate(engine, kept) !== undefined;
  const key = isValid ? new Secret(kept) : (rootKey ?? plane.issueKey('root'));
  if (!isValid || isOpenToOthers(file)) writeOwn(file, `${key.reveal()}\n`);
  return { file, key };
}
