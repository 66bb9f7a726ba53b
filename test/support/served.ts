// A server that ends with its test.
import { onTestFinished } from 'vitest';
import { serve, type ServeOptions, type Served } from '../../src/control-plane/index.ts';

export async function served(options: ServeOptions = {}): Promise<Served> {
  const server = await serve({ operationMs: { min: 10, max: 20 }, ...options });
  onTestFinished(() => server.close());
  return server;
}
