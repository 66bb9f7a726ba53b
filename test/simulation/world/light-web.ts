// Requests and replies without the machinery of streams: what the handler and the transport in this process use of them, for less.

/** A signal that nobody can abort: the transport in process gives none to its requests. */
const NEVER = {
  aborted: false,
  reason: undefined,
  addEventListener: (): void => undefined,
  removeEventListener: (): void => undefined,
  throwIfAborted: (): void => undefined,
};

type Fields = Readonly<Record<string, string>>;
type Body = string | Uint8Array | ReadableStream<Uint8Array> | null;

class LightHeaders {
  readonly #values: Map<string, string> = new Map();

  constructor(fields: Fields = {}) {
    for (const name of Object.keys(fields)) this.#values.set(name.toLowerCase(), String(fields[name]).trim());
  }

  get(name: string): string | null {
    return this.#values.get(name.toLowerCase()) ?? null;
  }

  /** As the standard has it: by name. */
  [Symbol.iterator](): Iterator<[string, string]> {
    return [...this.#values].sort(([a], [b]) => (a < b ? -1 : 1))[Symbol.iterator]();
  }
}

/** Pieces of a body, bytes at most (characters, for a text). */
const PIECE = 1_048_576;

/** A body that is there at once, in pieces. */
class LightBody {
  #rest: string | Uint8Array;

  constructor(content: string | Uint8Array) {
    this.#rest = content;
  }

  getReader(): { read(): Promise<unknown>; cancel(): Promise<void> } {
    return { read: async () => this.#next(), cancel: async () => this.cancel() };
  }

  [Symbol.asyncIterator](): { next(): Promise<unknown>; return(): Promise<unknown> } {
    return {
      next: async () => this.#next(),
      return: async () => {
        this.#rest = '';
        return { done: true, value: undefined };
      },
    };
  }

  async cancel(): Promise<void> {
    this.#rest = '';
  }

  #next(): unknown {
    const rest = this.#rest;
    if (rest.length === 0) return { done: true, value: undefined };
    const isWhole = rest.length <= PIECE;
    const piece = isWhole ? rest : rest.slice(0, PIECE);
    this.#rest = isWhole ? '' : rest.slice(PIECE);
    return { done: false, value: typeof piece === 'string' ? Buffer.from(piece) : piece };
  }
}

class LightRequest {
  readonly url: string;
  readonly method: string;
  readonly headers: LightHeaders;
  readonly body: LightBody | null;
  readonly signal: typeof NEVER = NEVER;

  constructor(url: string, init: { method?: string; headers?: Fields; body?: string | null } = {}) {
    this.url = url;
    this.method = init.method ?? 'GET';
    this.headers = new LightHeaders(init.headers);
    this.body = typeof init.body === 'string' ? new LightBody(init.body) : null;
  }
}

class LightResponse {
  readonly status: number;
  readonly headers: LightHeaders;
  readonly body: LightBody | ReadableStream<Uint8Array> | null;

  constructor(body: Body, init: { status?: number; headers?: Fields } = {}) {
    this.status = init.status ?? 200;
    const isUntyped =
      typeof body === 'string' && !Object.keys(init.headers ?? {}).some((name) => CONTENT_TYPE.test(name));
    this.headers = new LightHeaders(isUntyped ? { ...init.headers, 'content-type': TEXT } : init.headers);
    this.body = typeof body === 'string' || body instanceof Uint8Array ? new LightBody(body) : body;
  }
}

const CONTENT_TYPE = /^content-type$/i;
const TEXT = 'text/plain;charset=UTF-8';

/** From now on this process makes light requests and replies; the returned function takes it back. */
export function useLightWeb(): () => void {
  const { Request, Response } = globalThis;
  Object.assign(globalThis, { Request: LightRequest, Response: LightResponse });
  return () => void Object.assign(globalThis, { Request, Response });
}
