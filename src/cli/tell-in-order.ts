// Output of a run that goes on: pieces for several places, written in order, and those of one moment for one place together.
import type { Output } from './io.ts';

export interface Teller {
  /** Puts `text` in line. A run tells thousands of lines, and each write of its own would be a call of the system. */
  write(to: Output, text: string): void;
  /** Resolves when all that stood in line has been written. */
  delivered(): Promise<void>;
}

export function tellInOrder(): Teller {
  let line: { readonly to: Output; text: string }[] = [];
  let telling: Promise<void> | null = null;
  const tell = async (): Promise<void> => {
    // Whatever else this moment has to say comes before the first of it is written.
    await Promise.resolve();
    while (line.length > 0) {
      const pieces = line;
      line = [];
      for (const { to, text } of pieces) await to.write(text);
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
  };
}
