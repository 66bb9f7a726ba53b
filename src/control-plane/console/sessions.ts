// Console sessions, in memory, and their cookies. A session ends by timeout, by sign-out, or when its key is revoked.
import type { Random } from '../../base/random.ts';
import type { Secret } from '../../base/secret.ts';
import { generateCookie, getCookie, type Context } from '../api/web.ts';
import type { Engine } from '../resources/engine/engine.ts';
import { hashOfKey } from '../resources/engine/naming.ts';
import { validKey } from '../resources/key/handlers.ts';
import type { KeyRecord } from '../resources/key/record.ts';

export interface Notice {
  readonly tone: 'good' | 'bad';
  readonly text: string;
}

/** A session identifies its API key by id and hash, and never holds the key's value. */
export interface Session {
  readonly id: string;
  readonly key: Pick<KeyRecord, 'id' | 'hash'>;
  readonly token: string;
  readonly beganMs: number;
  usedMs: number;
  notice?: Notice;
  /** The newest reply, or only its secret, which one page shows once. `id` stands in the address of that page. */
  told?: { readonly id: string; readonly value?: Secret };
  /** True once the person has entered the admin token, which allows faults and clock to be seen and changed. */
  isTester?: boolean;
}

const IDLE_MS = 3_600_000;
const LIFETIME_MS = 12 * 3_600_000;
const MAX_SESSIONS = 1000;

export class Sessions {
  readonly #engine: Engine;
  readonly #byHash: Map<string, Session> = new Map();

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  open({ id, hash }: KeyRecord): Session {
    this.#sweep();
    const { clock, random } = this.#engine;
    const nowMs = clock.monotonicMs();
    const session = { id: newToken(random), key: { id, hash }, token: newToken(random), beganMs: nowMs, usedMs: nowMs };
    this.#byHash.set(hashOfKey(session.id), session);
    return session;
  }

  /** Finds the live session of a cookie. `isVisit` is false for a fetch that must not keep the session alive. */
  find(id: string | undefined, isVisit: boolean): Session | undefined {
    const hash = hashOfKey(id ?? '');
    const session = this.#byHash.get(hash);
    if (session === undefined) return undefined;
    if (!this.#isLive(session)) {
      this.#byHash.delete(hash);
      return undefined;
    }
    if (isVisit) session.usedMs = this.#engine.clock.monotonicMs();
    return session;
  }

  end(session: Session): void {
    this.#byHash.delete(hashOfKey(session.id));
  }

  #isLive(session: Session): boolean {
    const nowMs = this.#engine.clock.monotonicMs();
    const inTime = nowMs - session.usedMs < IDLE_MS && nowMs - session.beganMs < LIFETIME_MS;
    return inTime && validKey(this.#engine, session.key.hash) !== undefined;
  }

  #sweep(): void {
    for (const [hash, session] of this.#byHash) {
      if (this.#isLive(session) && this.#byHash.size < MAX_SESSIONS) continue;
      this.#byHash.delete(hash);
    }
  }
}

function newToken(random: Random): string {
  return Buffer.from(random.bytes(32)).toString('base64url');
}

/** Each port has a cookie name of its own, because browsers share cookies between the ports of a host. */
function cookieOf(url: string): { readonly name: string; readonly prefix?: 'host' } {
  const { protocol, port } = new URL(url);
  return protocol === 'https:'
    ? { name: `console-${port || '443'}`, prefix: 'host' }
    : { name: `console-${port || '80'}` };
}

export function sessionIdOf(context: Context): string | undefined {
  const { name, prefix } = cookieOf(context.req.url);
  return getCookie(context, name, prefix) || undefined;
}

/** The Set-Cookie header that stores `id` or deletes the cookie. Scripts cannot read the cookie, other sites cannot send it. */
export function sessionCookie(url: string, id: string | undefined): string {
  const { name, prefix } = cookieOf(url);
  const end = id === undefined ? { maxAge: 0 } : {};
  return generateCookie(name, id ?? '', { httpOnly: true, sameSite: 'Strict', ...(prefix && { prefix }), ...end });
}
