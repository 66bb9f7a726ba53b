// A place in a text that is read quickly: lines, indents, comments, and the doubt that ends it all.
import { MAX_ENTRIES } from './limits.ts';
import { QuickBlocks } from './quick-blocks.ts';
import { isCertain } from './quick-plain.ts';
import { PLAIN, QuickTape, type Members } from './quick-tape.ts';
import type { TextFile } from './source-tree.ts';

/** The text is not certain to be of the plain kind. Never leaves the quick reading. */
export class Unsure extends Error {}

const SPACE = 0x20;
const LINE_FEED = 0x0a;
const HASH = 0x23;

export class QuickCursor {
  readonly text: string;
  readonly tape: QuickTape;
  readonly blocks: QuickBlocks;
  at = 0;
  /** Column of the content that `skipToContent` found. */
  indent = 0;
  #entries = 0;

  constructor(file: TextFile) {
    this.text = file.text;
    this.tape = new QuickTape(file);
    this.blocks = new QuickBlocks(this.tape);
  }

  get atEnd(): boolean {
    return this.at >= this.text.length;
  }

  /** True when nothing but a comment is left of the line. */
  get atLineEnd(): boolean {
    if (this.atEnd) return true;
    const character = this.text.charCodeAt(this.at);
    return character === LINE_FEED || character === HASH;
  }

  /** Entries and separators so far. */
  get entries(): number {
    return this.#entries;
  }

  /** One more entry or separator; gives up beyond the bound for a file. */
  count(more: number = 1): void {
    this.#entries += more;
    if (this.#entries > MAX_ENTRIES) throw new Unsure();
  }

  /** Past the block that is under the cursor and ends at `end`; false, and nowhere, if what follows belongs to it. */
  goPast(end: number): boolean {
    const { at, indent } = this;
    this.at = end;
    this.skipToContent();
    if (this.atEnd || this.indent < indent) return true;
    this.at = at;
    this.indent = indent;
    return false;
  }

  /** Takes the key of `members` that `pattern`, a sticky one, finds here, with its colon and the spaces behind. */
  takeKey(pattern: RegExp, members: Members): number {
    const { text, at: start, tape } = this;
    pattern.lastIndex = start;
    if (!pattern.test(text)) throw new Unsure();
    const end = pattern.lastIndex;
    const key = tape.nameBetween(start, end);
    if (tape.names[key] === '__proto__' || !tape.isNew(key, members)) throw new Unsure();
    this.count();
    this.at = end + 1;
    this.skipSpaces();
    return key;
  }

  skipSpaces(): void {
    const { text } = this;
    let { at } = this;
    while (at < text.length && text.charCodeAt(at) === SPACE) at++;
    this.at = at;
  }

  /** After a value: goes past spaces, a comment set off by them, and the line feed; returns where that is. */
  endLine(): number {
    const before = this.at;
    const { text } = this;
    this.skipSpaces();
    if (this.atEnd) return this.at;
    if (text.charCodeAt(this.at) === HASH) {
      if (text.charCodeAt(this.at - 1) !== SPACE || this.at < before) throw new Unsure();
      const end = text.indexOf('\n', this.at);
      this.at = end < 0 ? text.length : end;
    }
    if (!this.atEnd) {
      if (text.charCodeAt(this.at) !== LINE_FEED) throw new Unsure();
      this.at++;
    }
    return this.at;
  }

  /** From the start of a line to the next content, past empty lines and comments that stand where it stands. */
  skipToContent(): void {
    const { text } = this;
    let comment = -1;
    for (;;) {
      const lineStart = this.at;
      this.skipSpaces();
      this.indent = this.at - lineStart;
      if (this.atEnd) {
        // A comment at the very end belongs to nobody only if it is not indented.
        if (comment > 0 || this.indent > 0) throw new Unsure();
        return;
      }
      const character = text.charCodeAt(this.at);
      if (character === LINE_FEED) {
        if (this.indent > 0) throw new Unsure();
        this.at++;
      } else if (character === HASH) {
        if (comment >= 0 && comment !== this.indent) throw new Unsure();
        comment = this.indent;
        const end = text.indexOf('\n', this.at);
        this.at = end < 0 ? text.length : end + 1;
      } else {
        if (comment >= 0 && comment !== this.indent) throw new Unsure();
        return;
      }
    }
  }

  /** Takes the unquoted text up to `end`. */
  takePlain(key: number, keyStart: number, end: number): void {
    const start = this.at;
    if (!isCertain(this.text, start, end)) throw new Unsure();
    this.at = end;
    this.tape.close(this.tape.add(key, keyStart, PLAIN, start), end);
  }
}
