// Output of a run that goes on: pieces for several places, written in order, and those of one turn for one place together.
import { turnOver } from '../../base/time/clock.ts';
import type { Output } from '../process/io.ts';

export interface Teller {
  write(to: Output, text: string): void;
  /** Resolves when all that stood in line has been written. */
  delivered(): Promise<void>;
  /** Removes and returns the queued text for `to`. */
  takeBack(to: Output): string;
}

export function tellInOrder(): Teller {
  let line: { readonly to: Output; text: string }[] = [];
  let telling: Promise<void> | null = null;
  const tell = async (): Promise<void> => {
    await turnOver();
    for (let piece = line.shift(); piece !== undefined; piece = line.shift()) {
      const { to, text } = piece;
      // An output keeps its own failure; the other outputs are still written.
      await to.write(text).catch(() => undefined);
    }
    telling = null;
  };
  return {
    write(to, text) {
      const last = line.at(-1);
      if (last?.to === to) last.text += text;
      else line.push({ to, text });
      telling ??= tell();
    },
    delivered: async () => telling ?? Promise.resolve(),
    takeBack(to) {
      const taken = line.filter((piece) => piece.to === to);
      line = line.filter((piece) => piece.to !== to);
      return taken.map(({ text }) => text).join('');
    },
  };
}
