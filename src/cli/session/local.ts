// The embedded control plane as a command sees it: opened for the length of one run, its data in a folder.
import { openLocalControlPlane } from '../../control-plane/local.ts';
import { StoreError } from '../../control-plane/store/store.ts';
import type { Secret } from '../../base/secret.ts';
import { handlerTransport } from '../../client/http/handler-transport.ts';
import type { Send } from '../../client/types.ts';
import { makeStoreFolder } from '../process/files.ts';
import type { Io } from '../process/io.ts';
import { UsageError } from '../program/usage-error.ts';

export interface Local {
  readonly send: Send;
  readonly credential: Secret;
  /** Tells this store from every other one: all have the same base URL. */
  readonly store: string;
  handle(request: Request): Promise<Response>;
  close(): void;
}

/** Opens or makes the store in `folder`. Throws UsageError when another process holds it, or it cannot be made or read. */
export function openLocal(io: Io, folder: string, baseUrl: string): Local {
  makeStoreFolder(io.cwd, folder, folder);
  try {
    const { controlPlane, rootKey, storeId } = openLocalControlPlane(folder, {
      clock: io.clock,
      random: io.random,
      ...(io.faults === undefined ? {} : { faults: io.faults }),
    });
    const handle = async (request: Request): Promise<Response> => controlPlane.handle(request);
    return {
      send: handlerTransport(handle, { baseUrl }),
      credential: rootKey,
      store: storeId,
      handle,
      close: () => controlPlane.close(),
    };
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    if (error.reason === 'held')
      throw new UsageError(
        `${folder} is held by process ${error.pid ?? '(unknown)'}`,
        'A `trueup serve` or another run uses this folder: stop it, speak to it with --base-url, or give another --local=DIR.',
      );
    throw new UsageError(error.message);
  }
}
