// The connections to one origin: a request goes on the first that is free, and one is free as soon as its reply is whole.
import type { Controller, Exchange } from './exchange.ts';
import type { HeaderValues } from './received-head.ts';

/** What is told of a request on its way. */
export type Handler = Pick<
  Exchange,
  'onRequestStart' | 'onResponseStart' | 'onResponseData' | 'onResponseEnd' | 'onResponseError'
>;

/** A connection as the library has it: it is made, and made anew, when a request needs it. */
export interface Connection<Options> {
  dispatch(options: Options, handler: Handler): unknown;
  destroy(): Promise<void>;
}

const SOON = Promise.resolve();

interface Queued<Options> {
  readonly options: Options;
  readonly exchange: Exchange;
}

/**
 * At most `most` connections, each made by `open` when no other is free. A pool of the library takes a connection for free only two
 * turns of the event loop after its reply; with many replies in a turn those are long.
 */
export class Connections<Options> {
  readonly #open: () => Connection<Options>;
  readonly #most: number;
  readonly #all: Connection<Options>[] = [];
  readonly #free: Connection<Options>[] = [];
  readonly #queue: Queued<Options>[] = [];

  constructor(open: () => Connection<Options>, most: number) {
    this.#open = open;
    this.#most = most;
  }

  dispatch(options: Options, exchange: Exchange): void {
    const connection = this.#free.pop() ?? this.#another();
    if (connection === null) this.#queue.push({ options, exchange });
    else this.#begin(connection, { options, exchange });
  }

  async destroy(): Promise<void> {
    await Promise.all(this.#all.map(async (connection) => connection.destroy()));
  }

  #another(): Connection<Options> | null {
    if (this.#all.length >= this.#most) return null;
    const connection = this.#open();
    this.#all.push(connection);
    return connection;
  }

  #begin(connection: Connection<Options>, { options, exchange }: Queued<Options>): void {
    const passage = new Passage(exchange, () => this.#release(connection));
    try {
      connection.dispatch(options, passage);
    } catch (error) {
      passage.onResponseError(null, error);
    }
  }

  #release(connection: Connection<Options>): void {
    let next = this.#queue.shift();
    while (next?.exchange.settled === true) next = this.#queue.shift();
    if (next === undefined) this.#free.push(connection);
    else this.#begin(connection, next);
  }
}

/** An exchange on a connection, which is given back once. */
class Passage implements Handler {
  readonly #exchange: Exchange;
  #giveBack: (() => void) | null;

  constructor(exchange: Exchange, giveBack: () => void) {
    this.#exchange = exchange;
    this.#giveBack = giveBack;
  }

  onRequestStart(controller: Controller): void {
    this.#exchange.onRequestStart(controller);
  }

  onResponseStart(controller: Controller, status: number, headers: HeaderValues): void {
    this.#exchange.onResponseStart(controller, status, headers);
  }

  onResponseData(controller: Controller, chunk: Buffer): void {
    this.#exchange.onResponseData(controller, chunk);
  }

  onResponseEnd(): void {
    this.#isOver();
    this.#exchange.onResponseEnd();
  }

  onResponseError(controller: Controller | null, error: unknown): void {
    this.#isOver();
    this.#exchange.onResponseError(controller, error);
  }

  #isOver(): void {
    if (this.#giveBack === null) return;
    // When its last bytes are still being read, the connection is not free yet.
    void SOON.then(this.#giveBack);
    this.#giveBack = null;
  }
}
