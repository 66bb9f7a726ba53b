// Output of a run that goes on: pieces for several places, written in order, and those of one turn for one place together.
import { turnOver } from '../../base/time/clock.ts';
import type { Output } from '../process/io.ts';

export interface Teller {
  /** Puts `text` in line. A run tells thousands of lines, and each write of its own would be a call of the system. */
  write(to: Output, text: string): void;
  /** Resolves when all that stood in line has been written. */
  delivered(): Promise<void>;
  /** What stands in line for `to`, which leaves it. */
  takeBack(to: Output): string;
}

export function tellInOrder(): Teller {
  let line: { readonly to: Output; text: string }[] = [];
  let telling: Promise<void> | null = null;
  const tell = async (): Promise<void> => {
    // Whatever else the replies of this turn have to say goes with it.
    await turnOver();
    for (let piece = line.shift(); piece !== undefined; piece = line.shift()) {
      const { to, text } = piece;
      // An output knows itself what kept it from being written; the others are told all the same.
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
