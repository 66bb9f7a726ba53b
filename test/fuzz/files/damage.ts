// Damage to a text, as an editor, a merge, a cut-off download or an attacker would do it.
import type { Draw } from '../draw.ts';

/** What is put somewhere into the text. */
const SPLINTERS = [
  ['\t', '  ', '\n', '\r', '\r\n', ': ', '- ', '? ', '{', '}', '[', ']', '"', "'", '|\n', '>-\n', '#'],
  ['&a ', '*a', '&\u200ba ', '*\u200ba ', '%YAML 1.\u200b1\n---\n', '<<: *a\n', '!!js/function ', '---\n'],
  ['...\n', '%TAG ! x\n', '\u0000', '\u001b[2J', '\u202e', '\u200b', '\ufeff', '\ud800', '\u2028', '\u0085'],
  ['<<<<<<< HEAD\n', '=======\n', '${var:', '${var:x}', '${', '{{'],
  ['napi_0123456789abcdefghij0123456789abcdefghij', 'Bearer abcdefghijklmnopqrstuvwxyz0123456789', '\\'],
  ['\\u0000', '`', '@', ','],
].flat();

/** The text with up to three damages. */
export function damaged(text: string, draw: Draw): string {
  let result = text;
  for (let times = 1 + draw.below(3); times > 0; times--) result = once(result, draw);
  return result;
}

function once(text: string, draw: Draw): string {
  const at = draw.below(text.length + 1);
  const lines = text.split('\n');
  const line = draw.below(lines.length);
  const ways = [
    () => text.slice(0, at),
    () => text.slice(0, at) + text.slice(at + 1 + draw.below(8)),
    () => lines.toSpliced(line, 1).join('\n'),
    () => lines.toSpliced(line, 0, lines[draw.below(lines.length)] ?? '').join('\n'),
    () => lines.toSpliced(line, 1, ` ${lines[line] ?? ''}`).join('\n'),
    () => lines.toSpliced(line, 1, (lines[line] ?? '').trimStart()).join('\n'),
    () => text.slice(0, at) + text.slice(at, at + 40).repeat(2 + draw.below(30)) + text.slice(at),
    () => text.slice(0, at) + draw.pick(SPLINTERS) + text.slice(at),
  ];
  return draw.pick(ways)();
}
