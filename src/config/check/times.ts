// ISO 8601 times of the files.

const TIME =
  /^(\d{4})-(\d{2})-(\d{2})(?:[Tt ](\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?(?:[Zz]|([+-])(\d{2}):?(\d{2})))?$/;

/** Milliseconds since the epoch; a date means 00:00 UTC. Undefined when it is no time (a zone is needed; 30 February is none). */
export function parseTimeMs(text: string): number | undefined {
  const match = TIME.exec(text);
  if (match === null) return undefined;
  const [year, month, day, hour, minute, second] = [1, 2, 3, 4, 5, 6].map((at) => Number(match[at] ?? 0)) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  const offsetHours = Number(match[9] ?? 0);
  const offsetMinutes = Number(match[10] ?? 0);
  if (hour > 23 || minute > 59 || second > 59 || offsetHours > 14 || offsetMinutes > 59) return undefined;
  const dayMs = Date.UTC(year, month - 1, day);
  const back = new Date(dayMs);
  if (back.getUTCMonth() !== month - 1 || back.getUTCDate() !== day) return undefined;
  const fractionMs = Math.floor(Number(`0.${match[7] ?? '0'}`) * 1000);
  const offsetMs = (offsetHours * 60 + offsetMinutes) * 60_000 * (match[8] === '-' ? -1 : 1);
  return dayMs + ((hour * 60 + minute) * 60 + second) * 1000 + fractionMs - offsetMs;
}
