// The published rate limits, counted on the injected clock: 700 requests a minute, 40 a second for each route.
import type { Engine } from '../engine.ts';

const PER_MINUTE = 700;
const PER_SECOND_AND_ROUTE = 40;

/** Token buckets of one account. */
export class RateLimiter {
  readonly #buckets: Map<string, { tokens: number; atMs: number }> = new Map();

  /** Seconds to wait before this request would be within the limits; 0 when it is. */
  waitSeconds(engine: Engine, routeId: string): number {
    if (engine.switches.rateLimit === 'off') return 0;
    const account = this.#bucket('account', PER_MINUTE, PER_MINUTE / 60_000, engine.atMs);
    const route = this.#bucket(routeId, PER_SECOND_AND_ROUTE, PER_SECOND_AND_ROUTE / 1000, engine.atMs);
    const missingMs = Math.max(
      (1 - account.tokens) / (PER_MINUTE / 60_000),
      (1 - route.tokens) / (PER_SECOND_AND_ROUTE / 1000),
    );
    if (missingMs > 0) return missingMs / 1000;
    account.tokens -= 1;
    route.tokens -= 1;
    return 0;
  }

  #bucket(name: string, capacity: number, perMs: number, atMs: number): { tokens: number; atMs: number } {
    const bucket = this.#buckets.get(name) ?? { tokens: capacity, atMs };
    bucket.tokens = Math.min(capacity, bucket.tokens + (atMs - bucket.atMs) * perMs);
    bucket.atMs = atMs;
    this.#buckets.set(name, bucket);
    return bucket;
  }
}
