// Decodes the bytes of a file, and accepts only valid UTF-8 without control characters.
import type { Report } from '../report.ts';
import { codePoint } from '../yaml/show.ts';
import { textFile, type TextFile } from '../yaml/source-tree.ts';

// The characters that YAML calls non-printable, except line feed, carriage return, tab and next line.
const CONTROL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u0084\u0086-\u009f\ufeff\ufffe\uffff]/g;
// Characters outside plain ASCII text. Most files have none, so this one search replaces the two others.
const SPECIAL = /[^\t\n\r\x20-\x7e]/;
// Characters that reorder the text on a reviewer's screen.
const BIDI = /[\u202a-\u202e\u2066-\u2069]/g;

/** Drops a byte order mark, and makes line feeds of lone carriage returns. Returns null, after a report, if the bytes are no UTF-8 text. */
export function decodeText(file: string, bytes: Uint8Array, report: Report): TextFile | null {
  if (isWide(bytes)) {
    report.add('encoding', `${file} is encoded as UTF-16 or UTF-32`, null, { hint: 'Save the file as UTF-8.' });
    return null;
  }
  const text = decodeUtf8(file, bytes, report);
  if (text === null) return null;
  if (!SPECIAL.test(text.text)) return text;
  return checkCharacters(text, report) ? text : null;
}

/** True for a byte order mark of UTF-16 or UTF-32, or for a first character that these encode with a zero byte. */
function isWide([a, b, c]: Uint8Array): boolean {
  return (a === 0xff && b === 0xfe) || (a === 0xfe && b === 0xff) || (c !== undefined && (a === 0 || b === 0));
}

function decodeUtf8(file: string, bytes: Uint8Array, report: Report): TextFile | null {
  try {
    return textFile(file, new TextDecoder('utf-8', { fatal: true }).decode(withLineFeeds(bytes)));
  } catch {
    const offset = firstInvalidByte(bytes);
    const before = textFile(file, lineFeeds(new TextDecoder('utf-8').decode(bytes.subarray(0, offset))));
    const end = before.text.length;
    const byte = (bytes[offset] ?? 0).toString(16).padStart(2, '0');
    report.add(
      'encoding',
      `invalid UTF-8: byte 0x${byte} at byte offset ${offset}`,
      { text: before, start: end, end },
      {
        hint: 'Save the file as UTF-8.',
      },
    );
    return null;
  }
}

/** Replaces lone carriage returns in the bytes, because a text with millions of them takes too much memory. */
function withLineFeeds(bytes: Uint8Array): Uint8Array {
  let at = bytes.indexOf(RETURN);
  if (at < 0) return bytes;
  const changed = Uint8Array.from(bytes);
  for (; at >= 0 && at < bytes.length; at++) if (changed[at] === RETURN && changed[at + 1] !== FEED) changed[at] = FEED;
  return changed;
}

const RETURN = 0x0d;
const FEED = 0x0a;

/** Replaces lone carriage returns; the length of the text stays, so all offsets stay right. */
export function lineFeeds(text: string): string {
  return text.includes('\r') ? text.replace(/\r(?!\n)/g, '\n') : text;
}

/** Decodes the bytes and encodes them again: the first byte that differs is invalid, because the decoder replaced it. */
function firstInvalidByte(bytes: Uint8Array): number {
  const replaced = new TextEncoder().encode(new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes));
  const offset = bytes.findIndex((byte, at) => byte !== replaced[at]);
  return offset < 0 ? bytes.length - 1 : offset;
}

function checkCharacters(text: TextFile, report: Report): boolean {
  const before = report.diagnostics.length;
  const refuse = (characters: RegExp, code: string, problem: string): void => {
    for (const { 0: character, index: start } of text.text.matchAll(characters)) {
      if (report.isFull) break;
      report.add(code, problem.replace('{}', codePoint(character)), { text, start, end: start + 1 }, { hint: REMOVE });
    }
  };
  refuse(CONTROL, 'control_character', 'the control character {} is not allowed');
  refuse(BIDI, 'bidi_character', 'the character {} reorders visible text and is not allowed');
  return report.diagnostics.length === before;
}

const REMOVE = 'Remove that character.';
