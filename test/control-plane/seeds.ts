// Small worlds for tests.
import { makeWorld, type TestWorld } from './world.ts';

/** The default account's place taken by one key with this id. */
export function makeMemoryWorldWithKey(id: string): TestWorld {
  return makeWorld({ seed: { api_keys: [{ id, name: 'large', key: 'a-key-for-tests' }] } });
}
