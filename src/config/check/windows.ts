// Parses weekly windows such as `Sun 02:00-04:00 Europe/Berlin`.
import { inert } from '../../base/text/inert.ts';
import { nearHint } from '../../base/text/words.ts';
import type { TimeWindow } from '../../model/desired.ts';

const DAYS: readonly string[] = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];

type Problem = { readonly problem: string; readonly hint?: string };

const LONGEST = 200;

const NO_WINDOW: Problem = {
  problem: 'expected days, hours and a time zone',
  hint: 'For example: "Sun 02:00-04:00 Europe/Berlin".',
};

/** Reads days (`Mon-Fri`, `Sat,Sun`, default: all), hours (an end before the start is on the next day), and an IANA zone (default: UTC). */
export function parseWindow(text: string): { readonly window: TimeWindow } | Problem {
  if (text.length > LONGEST) return NO_WINDOW;
  const words = text.trim().split(/\s+/);
  const at = words.findIndex((word) => /^[0-9]{1,2}:[0-9]{2}-/.test(word));
  const hours = words[at];
  if (hours === undefined || words.length - at > 2 || at > 8) return NO_WINDOW;
  const weekdays = parseDays(words.slice(0, at).join(''));
  if ('problem' in weekdays) return weekdays;
  const span = parseHours(hours);
  if ('problem' in span) return span;
  const zone = zoneOf(words[at + 1] ?? 'UTC');
  if ('problem' in zone) return zone;
  return { window: { text: words.join(' '), weekdays: weekdays.days, ...span, timeZone: zone.timeZone } };
}

function parseDays(text: string): { readonly days: readonly number[] } | Problem {
  const days = new Set<number>();
  for (const part of text === '' ? [] : text.split(',')) {
    const [from = '', to = from, ...rest] = part.split('-');
    const unknown = [from, to, ...rest].find((word) => dayOf(word) < 0) ?? rest[0];
    if (unknown !== undefined)
      return {
        problem: `"${inert(unknown, 20)}" is not a day of the week`,
        hint: nearHint(unknown, DAYS, 'Days are Sun, Mon, Tue, Wed, Thu, Fri and Sat.'),
      };
    const count = (dayOf(to) - dayOf(from) + 7) % 7;
    for (let later = 0; later <= count; later++) days.add((dayOf(from) + later) % 7);
  }
  return { days: days.size === 7 ? [] : [...days].sort((a, b) => a - b) };
}

function dayOf(word: string): number {
  return DAYS.indexOf(word.toLowerCase());
}

function parseHours(text: string): { readonly startMinute: number; readonly endMinute: number } | Problem {
  const match = /^([0-9]{1,2}):([0-9]{2})-([0-9]{1,2}):([0-9]{2})$/.exec(text);
  const [startHour = 0, start = 60, endHour = 0, end = 60] = (match ?? []).slice(1).map(Number);
  const startMinute = startHour * 60 + start;
  const endMinute = endHour * 60 + end;
  if (start > 59 || end > 59 || startMinute >= 1440 || endMinute > 1440)
    return {
      problem: `"${inert(text, 20)}" is not a span of hours`,
      hint: 'Hours are 00:00 to 24:00, for example 02:00-04:00.',
    };
  if (startMinute === endMinute)
    return { problem: 'the window is empty', hint: 'Write 00:00-24:00 for the whole day.' };
  return { startMinute, endMinute };
}

const LONGEST_ZONE = 64;

/** Caches zones by name in lower case, because a formatter takes time to create. */
const ZONES = new Map<string, string>([['z', 'UTC']]);

function zoneOf(name: string): { readonly timeZone: string } | Problem {
  const key = name.toLowerCase();
  try {
    // An offset such as +01:00 ignores summer time, so only names are accepted.
    if (name.length <= LONGEST_ZONE && /^[a-z]/.test(key)) {
      const timeZone = ZONES.get(key) ?? new Intl.DateTimeFormat('en', { timeZone: key }).resolvedOptions().timeZone;
      ZONES.set(key, timeZone);
      return { timeZone };
    }
  } catch {
    // The zone is unknown; the message follows below.
  }
  const zones = Intl.supportedValuesOf('timeZone');
  return {
    problem: `"${inert(name, 40)}" is not a time zone`,
    hint: nearHint(name, zones, 'Zones are IANA names such as Europe/Berlin or UTC.'),
  };
}
