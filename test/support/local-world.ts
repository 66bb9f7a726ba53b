// The embedded control plane of a folder, opened between two commands: to seed it, and to change it behind trueup's back.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock } from '../../src/base/time/clock.ts';
import { seededRandom } from '../../src/base/random.ts';
import { openLocalControlPlane } from '../../src/control-plane/serve/local.ts';
import type { World } from '../../src/control-plane/index.ts';
import { stateOf } from './state.ts';
import { worldFromYaml } from '../../src/control-plane/world/world-file.ts';

export interface LocalWorldOptions {
  readonly cwd: string;
  readonly clock: Clock;
  /** YAML of the world that a new store holds. */
  readonly world?: string;
}

const OPERATION_MS = { min: 1000, max: 1000 };

function open({ cwd, clock, world }: LocalWorldOptions): ReturnType<typeof openLocalControlPlane> {
  const folder = join(stateOf(cwd), 'local');
  mkdirSync(folder, { recursive: true });
  const seed: World | undefined = world === undefined ? undefined : worldFromYaml(world);
  return openLocalControlPlane(folder, {
    clock,
    random: seededRandom(99),
    operationMs: OPERATION_MS,
    ...(seed === undefined ? {} : { seed }),
  });
}

/** Makes the store, so that the first command finds this world. */
export function seedLocalWorld(options: LocalWorldOptions): void {
  open(options).controlPlane.close();
}

/** Sends one request as somebody else would; gives its status. Its operations are over by then, unless they are to go on. */
export async function requestLocal(
  options: LocalWorldOptions,
  words: readonly string[],
  isOver: boolean = true,
): Promise<string> {
  const [method = 'GET', path = '/', body] = words;
  const { controlPlane, rootKey } = open(options);
  try {
    const response = await controlPlane.handle(
      new Request(`http://localhost/api/v2${path}`, {
        method,
        headers: { authorization: `Bearer ${rootKey.reveal()}`, 'content-type': 'application/json' },
        ...(body === undefined ? {} : { body }),
      }),
    );
    await response.arrayBuffer();
    if (isOver) controlPlane.settle();
    return `${response.status}`;
  } finally {
    controlPlane.close();
  }
}
