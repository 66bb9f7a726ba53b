// Text that looks like a credential: files must not hold it, and it is masked wherever a file is shown.

// Keys of the service (with its prefix, or of 64 characters that are no hex digest), bearer headers, and private keys.
const CREDENTIAL =
  /\bnapi_[A-Za-z0-9]{16,}|\b[Bb][Ee][Aa][Rr][Ee][Rr][ \t]+[A-Za-z0-9._~+/=-]{16,}|(?<![A-Za-z0-9])(?=[a-f0-9]{0,63}[g-z])[a-z0-9]{64}(?![A-Za-z0-9])|-----BEGIN [A-Z ]{0,20}PRIVATE KEY-----/g;

export function looksSecret(text: string): boolean {
  CREDENTIAL.lastIndex = 0;
  return CREDENTIAL.test(text);
}

export function maskSecrets(text: string): string {
  return text.replace(CREDENTIAL, (match) => '*'.repeat(match.length));
}

/** Masks the parts of a text, but keeps line breaks, so that positions stay right. */
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
