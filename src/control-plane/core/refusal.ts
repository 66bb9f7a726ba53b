// Error replies of the API. A handler that throws a Refusal commits nothing.
import { errorCode } from '../../base/error-code.ts';

export class Refusal extends Error {
  override readonly name = 'Refusal' as const;
  readonly status: number;
  /** Machine-readable reason; empty for most refusals, as in the real service. */
  readonly code: string;
  readonly headers: Readonly<Record<string, string>>;

  constructor(status: number, message: string, options: Partial<Pick<Refusal, 'code' | 'headers'>> = {}) {
    super(message);
    this.status = status;
    this.code = options.code ?? '';
    this.headers = options.headers ?? {};
  }
}

const LONGEST_QUOTE = 80;

/** A text of the client for a message: quoted, and cut if it is long. */
export function quoted(text: string): string {
  return JSON.stringify(text.slice(0, LONGEST_QUOTE));
}

export function notFound(what: string, id: string): Refusal {
  return new Refusal(404, `${what} not found; ${what}_id:${quoted(id)}`);
}

/** The refusal (503) for a failure of the store, which has changed nothing. Undefined for any other error. */
export function refusalOfStore(error: unknown): Refusal | undefined {
  const code = errorCode(error);
  if (!/^SQLITE_(FULL|IOERR|BUSY|READONLY|CANTOPEN|CORRUPT|NOTADB)/.test(code)) return undefined;
  return new Refusal(503, `the store cannot be used (${code}); nothing was done`);
}

export function badRequest(message: string): Refusal {
  return new Refusal(400, message);
}

export function limitExceeded(what: string, limit: number, code: string, status: number = 422): Refusal {
  return new Refusal(status, `${what} limit exceeded; limit:"${limit}"`, { code });
}

export function notModelled(what: string): Refusal {
  return new Refusal(501, `${what} is not modelled`, { code: 'NOT_MODELLED' });
}
