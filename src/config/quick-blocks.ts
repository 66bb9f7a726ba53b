// The blocks of a text that were read last, at each depth: whether the next one repeats one of them.
import { Stencil, stencilOf, type ReadBlock } from './quick-stencil.ts';
import type { QuickTape } from './quick-tape.ts';

/** Entries of so many sorts may take turns. */
const KEPT = 4;
/** Entries of a list stand a few levels in. */
const DEPTHS = 8;

/** A place in a text, at the first key of a block. */
interface Cursor {
  readonly at: number;
  readonly indent: number;
  count(entries: number): void;
  /** Past the block that ends at `end`; false, and nowhere, if what follows belongs to it. */
  goPast(end: number): boolean;
}

export class QuickBlocks {
  readonly #tape: QuickTape;
  /** By depth. */
  readonly #known: (Stencil | ReadBlock)[][] = Array.from({ length: DEPTHS }, () => []);

  constructor(tape: QuickTape) {
    this.#tape = tape;
  }

  /** Takes the block under the cursor if it repeats another: where it ends, else -1 and nothing is taken. */
  take(cursor: Cursor, key: number, keyStart: number, depth: number): number {
    const known = this.#known[depth] ?? NONE;
    for (let at = 0; at < known.length; at++) {
      const stencil = known[at];
      if (!(stencil instanceof Stencil) || stencil.block.indent !== cursor.indent) continue;
      const end = stencil.endFrom(cursor.at);
      if (end < 0) continue;
      if (!cursor.goPast(end)) return -1;
      cursor.count(stencil.block.entries);
      stencil.write(key, keyStart);
      return end;
    }
    return -1;
  }

  /** Notes a block that was read word by word. */
  note(block: ReadBlock, depth: number): void {
    const known = this.#known[depth];
    if (known === undefined || !this.#tape.mayRepeat(block.row)) return;
    for (const [at, one] of known.entries()) {
      const stencil =
        one instanceof Stencil
          ? stencilOf(this.#tape, one.block, one.slots, block)
          : stencilOf(this.#tape, one, NONE, block);
      if (stencil === null) continue;
      known[at] = stencil;
      return;
    }
    known.unshift(block);
    if (known.length > KEPT) known.pop();
  }
}

const NONE: readonly never[] = [];
