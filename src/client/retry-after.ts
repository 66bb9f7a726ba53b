// The Retry-After header, in both of its forms.

const WEEKDAY = /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*,? /;

/**
 * Milliseconds that the service asks to wait; null when the header is absent or means nothing. A date is held against the
 * service's own `Date` header where there is one, so that a wrong clock on either side does no harm.
 */
export function parseRetryAfterMs(headers: Readonly<Record<string, string>>, nowMs: number): number | null {
  const value = headers['retry-after']?.trim();
  if (value === undefined) return null;
  if (/^\d{1,12}$/.test(value)) return Number(value) * 1000;
  const untilMs = httpDateMs(value);
  if (untilMs === null) return null;
  const serviceNowMs = httpDateMs(headers['date'] ?? '') ?? nowMs;
  return Math.max(0, untilMs - serviceNowMs);
}

/** One of the three date forms of HTTP; all of them are in GMT, also the one that does not say so. */
function httpDateMs(text: string): number | null {
  if (text.length > 40 || !WEEKDAY.test(text)) return null;
  const ms = Date.parse(text.endsWith('GMT') ? text : `${text} GMT`);
  return Number.isNaN(ms) ? null : ms;
}
