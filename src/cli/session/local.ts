// The local server in this process: open for one run, with its data in a folder.
import { picked } from '../../base/picked.ts';
import { openLocalControlPlane } from '../../control-plane/serve/local.ts';
import { StoreError } from '../../control-plane/core/store.ts';
import { createReconciler } from '../../reconciler/index.ts';
import type { ReconcilerOptions } from '../../reconciler/types.ts';
import { handlerTransport } from '../../client/http/handler-transport.ts';
import { makeFolder } from '../process/files.ts';
import type { Io } from '../process/io.ts';
import { UsageError } from '../process/exit-code.ts';
import type { Connection } from '../command.ts';

/** Opens or makes the store in `folder`. Throws UsageError if another process uses it, or its files are unusable. */
export function connectLocal(io: Io, folder: string, shared: Omit<ReconcilerOptions, 'credential'>): Connection {
  makeFolder(io.cwd, folder, folder, 0o700);
  try {
    const { controlPlane, rootKey, storeId } = openLocalControlPlane(folder, picked(io, ['clock', 'random', 'faults']));
    const send = handlerTransport(async (request) => controlPlane.handle(request), { baseUrl: shared.baseUrl });
    const reconciler = createReconciler({ ...shared, credential: rootKey, send, store: storeId });
    return {
      reconciler,
      store: storeId,
      async close() {
        await reconciler.close();
        controlPlane.close();
      },
    };
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    if (error.reason === 'held')
      throw new UsageError(
        `${folder} is in use by process ${error.pid ?? '(unknown)'}`,
        'A `trueup serve` or another run uses this folder: stop it, connect to it with --base-url, or give another --local=DIR.',
      );
    throw new UsageError(error.message);
  }
}
