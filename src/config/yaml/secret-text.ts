// Text that looks like a credential: it is refused in the files and masked wherever they are shown.

// Keys of the service (with its prefix, or the older 64 characters that are no hex digest), bearer headers, and private keys.
const CREDENTIAL =
  /\bnapi_[A-Za-z0-9]{16,}|\b[Bb][Ee][Aa][Rr][Ee][Rr][ \t]+[A-Za-z0-9._~+/=-]{16,}|(?<![A-Za-z0-9])(?=[a-f0-9]{0,63}[g-z])[a-z0-9]{64}(?![A-Za-z0-9])|-----BEGIN [A-Z ]{0,20}PRIVATE KEY-----/g;

/** True when the text holds something that looks like a credential. */
export function looksSecret(text: string): boolean {
  CREDENTIAL.lastIndex = 0;
  return CREDENTIAL.test(text);
}

/** The text with everything that looks like a credential replaced by as many asterisks. */
export function maskSecrets(text: string): string {
  return text.replace(CREDENTIAL, (match) => '*'.repeat(match.length));
}

/** The text with the given stretches replaced by asterisks; line breaks stay, so that places stay right. */
export function maskSpans(text: string, spans: readonly { readonly start: number; readonly end: number }[]): string {
  let masked = '';
  let done = 0;
  for (const { start, end } of [...spans].sort((a, b) => a.start - b.start)) {
    const from = Math.max(start, done);
    if (end <= from) continue;
    masked += text.slice(done, from) + text.slice(from, end).replace(/[^\r\n]/g, '*');
    done = end;
  }
  return masked + text.slice(done);
}
