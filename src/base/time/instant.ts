// Moments in time as text: RFC 3339 on the wire, and the shorter forms that people write in files.

const INSTANT = /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2}):(\d{2})(?:\.(\d+))?(?:Z|([+-])(\d{2}):(\d{2}))$/;

/** The largest offset of a time zone from UTC, in hours. */
const FURTHEST_ZONE = 14;

/** Parses an RFC 3339 time with capital T and Z into milliseconds since the epoch; undefined if the date, time or zone does not exist. */
export function parseInstantMs(text: string): number | undefined {
  const [, year, month, day, hour, minute, second, fraction = '', sign, zoneHours = 0, zoneMinutes = 0] =
    INSTANT.exec(text) ?? [];
  if (year === undefined) return undefined;
  const midnight = new Date(0);
  midnight.setUTCFullYear(Number(year), Number(month) - 1, Number(day));
  // JavaScript turns a day that the month does not have into a day of the next month.
  const isRealDay = midnight.getUTCMonth() === Number(month) - 1 && midnight.getUTCDate() === Number(day);
  const isRealTime = Number(hour) <= 23 && Number(minute) <= 59 && Number(second) <= 59;
  const isRealZone = Number(zoneMinutes) <= 59 && Number(zoneHours) * 60 + Number(zoneMinutes) <= FURTHEST_ZONE * 60;
  if (!isRealDay || !isRealTime || !isRealZone) return undefined;
  const zoneMs = minutesMs(Number(zoneHours), Number(zoneMinutes)) * (sign === '-' ? -1 : 1);
  const fractionMs = Number(fraction.slice(0, 3).padEnd(3, '0'));
  return midnight.getTime() + minutesMs(Number(hour), Number(minute)) + Number(second) * 1000 + fractionMs - zoneMs;
}

function minutesMs(hours: number, minutes: number): number {
  return (hours * 60 + minutes) * 60_000;
}

const WRITTEN = /^(\d{4}-\d{2}-\d{2})(?:[Tt ](\d{2}:\d{2})(:\d{2}(?:\.\d{1,9})?)?(?:[Zz]|([+-]\d{2}):?(\d{2})))?$/;

/** Like `parseInstantMs`, for a time in a file: a date means 00:00 UTC, seconds are optional, and a time needs its zone. */
export function parseWrittenTimeMs(text: string): number | undefined {
  const [, day, time = '00:00', seconds = ':00', zoneHours, zoneMinutes] = WRITTEN.exec(text) ?? [];
  if (day === undefined) return undefined;
  const zone = zoneHours === undefined ? 'Z' : `${zoneHours}:${zoneMinutes}`;
  return parseInstantMs(`${day}T${time}${seconds}${zone}`);
}
