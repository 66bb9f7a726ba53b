// Opens a store in a folder for use in this process (`--local`): the same control plane, without sockets.
import { readFileSync } from 'node:fs';
import { Secret } from '../base/secret.ts';
import { createControlPlane } from './control-plane.ts';
import type { ControlPlane, ControlPlaneOptions } from './control-plane.ts';
import { storeRootKey } from './root-key.ts';

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
    const rootKey = new Secret(readFileSync(storeRootKey(folder, controlPlane), 'utf8').trim());
    return { controlPlane, rootKey, storeId: controlPlane.engine.state.meta.account.id };
  } catch (error) {
    controlPlane.close();
    throw error;
  }
}
