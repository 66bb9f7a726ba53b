// Unquoted texts: how far one reaches that begins a line's value, and which are certain to mean the same to everybody.
import { hasLeadingZero } from './core-scalar.ts';

const LENGTH_MAX = 1000;

// Up to the end of the line or a comment; no colon or hash but where they are certain to be text.
const PLAIN_TEXT =
  /(?:[A-Za-z0-9_./+~$]|-(?=[A-Za-z0-9_.]))(?:[^\n:# ]|:(?=[^ \n])|(?<=[^ ])#| +(?=[^ \n#:])){0,1000}/y;

/** Where the text that begins at `start` ends; -1 when none does. */
export function plainEnd(text: string, start: number): number {
  PLAIN_TEXT.lastIndex = start;
  return PLAIN_TEXT.test(text) ? PLAIN_TEXT.lastIndex : -1;
}

/** False for what is too long, and for numbers with leading zeros. */
export function isCertain(text: string, start: number, end: number): boolean {
  return end - start <= LENGTH_MAX && !(mayLead(text.charCodeAt(start)) && hasLeadingZero(text.slice(start, end)));
}

/** A sign or a zero. */
function mayLead(character: number): boolean {
  return character === 0x30 || character === 0x2b || character === 0x2d;
}
