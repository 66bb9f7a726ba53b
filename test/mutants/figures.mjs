// Puts figures into a document, between two marks of their own.
import { readFileSync, writeFileSync } from 'node:fs';

/** Replaces what stands between `<!-- NAME:begin -->` and `<!-- NAME:end -->`; throws where the marks are missing. */
export function writeBetween(file, name, lines) {
  const text = readFileSync(file, 'utf8');
  const marked = new RegExp(`(<!-- ${name}:begin -->\\n)[\\s\\S]*?(<!-- ${name}:end -->)`);
  if (!marked.test(text)) throw new Error(`${file} has no place for the figures of ${name}`);
  writeFileSync(
    file,
    text.replace(marked, (_, begin, end) => `${begin}\n${lines.join('\n')}\n\n${end}`),
  );
}
