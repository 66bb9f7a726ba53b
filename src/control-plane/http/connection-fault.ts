// A fault of the connection: what a client sees instead of a reply.

export type ConnectionFaultKind =
  | 'before-connect'
  | 'before-send'
  | 'mid-request'
  | 'after-send-before-commit'
  | 'after-commit-before-reply'
  | 'mid-headers'
  | 'mid-body'
  | 'after-reply'
  | 'late-commit';

/** Rejects `handle` (or breaks the body's stream) where over a socket the connection would end. */
export class ConnectionFault extends Error {
  readonly kind: ConnectionFaultKind;
  /** As Node names it. */
  readonly code: 'ECONNREFUSED' | 'ECONNRESET';
  /** Whether bytes of the request had been sent: if not, it provably was not processed. */
  readonly sent: boolean;

  constructor(kind: ConnectionFaultKind) {
    const refused = kind === 'before-connect';
    super(refused ? 'connection refused' : `connection reset (${kind})`);
    this.name = 'ConnectionFault';
    this.kind = kind;
    this.code = refused ? 'ECONNREFUSED' : 'ECONNRESET';
    this.sent = kind !== 'before-connect' && kind !== 'before-send';
  }
}
