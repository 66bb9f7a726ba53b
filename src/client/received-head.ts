// The head of a reply as the dispatcher gives it: most replies are fine, and nobody looks at their headers again.
import type { ExchangeLimits } from './exchange-limits.ts';
import { byteCap, unreadableHead } from './reply.ts';
import type { ReplyHead } from './reply.ts';
import type { HttpRequest, HttpResponse } from './types.ts';

/** Lower-case names; a name that came several times has a list. */
export type HeaderValues = Readonly<Record<string, string | string[] | undefined>>;

export class ReceivedHead implements ReplyHead {
  readonly status: number;
  readonly #values: HeaderValues;

  constructor(status: number, values: HeaderValues) {
    this.status = status;
    this.#values = values;
  }

  /** Made at each look. */
  get headers(): Readonly<Record<string, string>> {
    return flat(this.#values);
  }

  /** Why the body must not even be looked at; null when it may. */
  problem(request: HttpRequest, limits: ExchangeLimits): string | null {
    const isPlain = this.#values['content-encoding'] === undefined && this.#length() <= byteCap(request, limits);
    return isPlain ? null : unreadableHead(request, this, limits);
  }

  /** True for all the bytes that the head has told of. */
  isWhole({ byteLength }: Uint8Array): boolean {
    return byteLength === this.#length();
  }

  /** The reply with its body. */
  with(text: string): HttpResponse {
    return new Received(this, text);
  }

  /** NaN where the head does not tell. */
  #length(): number {
    const length = this.#values['content-length'];
    return typeof length === 'string' ? Number(length) : Number.NaN;
  }
}

class Received implements HttpResponse {
  readonly text: string;
  readonly #head: ReceivedHead;

  constructor(head: ReceivedHead, text: string) {
    this.#head = head;
    this.text = text;
  }

  get status(): number {
    return this.#head.status;
  }

  get headers(): Readonly<Record<string, string>> {
    return this.#head.headers;
  }
}

function flat(values: HeaderValues): Record<string, string> {
  const headers: Record<string, string> = Object.create(null) as Record<string, string>;
  for (const [name, value] of Object.entries(values))
    if (value !== undefined) headers[name.toLowerCase()] = typeof value === 'string' ? value : value.join(', ');
  return headers;
}
