// Makes a log line for each API request: client, request, status and duration, with secrets masked.
import { defined } from '../../base/picked.ts';
import type { Engine } from '../resources/engine/engine.ts';
import { keyIn } from './input.ts';

export interface RequestLine {
  readonly at: string;
  readonly method: string;
  readonly path: string;
  readonly query: readonly string[];
  /** Null if the connection ended without a reply, or if the server failed unexpectedly. */
  readonly status: number | null;
  readonly duration_ms: number;
  readonly key_id: string | null;
  readonly address: string;
  readonly user_agent: string;
  readonly fault?: string;
}

/** Matches secrets that a client puts into a path or a header by mistake. */
const SECRET = /(napi|npg|admin)_\w+|[a-z0-9]{40,}/gi;
const LONGEST = 300;

export function beginLine(
  engine: Engine,
  request: Request,
  address: string,
): (status: number | null, fault?: string) => RequestLine {
  const begunMs = engine.clock.monotonicMs();
  const at = new Date(engine.clock.nowMs()).toISOString();
  const url = new URL(request.url);
  const keyId = keyIn(engine, request.headers)?.id ?? null;
  return (status, fault) => ({
    at,
    method: request.method,
    path: harmless(url.pathname),
    query: [...new Set(url.searchParams.keys())].map(harmless),
    status,
    duration_ms: Math.round((engine.clock.monotonicMs() - begunMs) * 10) / 10,
    key_id: keyId,
    address,
    user_agent: harmless(request.headers.get('user-agent') ?? ''),
    ...defined({ fault }),
  });
}

function harmless(text: string): string {
  return text.slice(0, LONGEST).replaceAll(SECRET, '…');
}
