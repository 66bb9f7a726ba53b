// Names as an attacker would choose them: pieces of the hostile corpus, cut, mixed and repeated, another for every place.
import { HOSTILE } from '../../unit/render/hostile.ts';
import { drawsOf } from '../draw.ts';

const MARKUP =
  '` ``` </details> </pre> <!-- --> ]]> &lt; &#x202e; | \\| \\ " @a #1 ![](x) [a](javascript:x) {{ ${'.split(' ');
const COMMANDS = ':: ##[ ##vso[ %0A:: =1+1 ----- a/b 漢 é'.split(' ');
const PIECES = [
  Object.values(HOSTILE).map((text) => text.slice(0, 400)),
  MARKUP,
  COMMANDS,
  ["'", ' ', '', '````\n', '\n', '\r\n', '\n::error::', '<b onclick=x>'],
  ['\u0000', '\u007f', '\u009b', '\u200d', '\u{1f600}', 'e\u0301'],
].flat();

/** One text after the other, of one seed. */
export function textsOf(seed: number): () => string {
  const draw = drawsOf(seed);
  const one = (): string => {
    const text = Array.from({ length: draw.below(5) }, () => draw.pick(PIECES)).join('');
    return draw.chance(0.2) ? text.slice(0, draw.below(text.length + 1)) : text;
  };
  // Some worlds say the same thing everywhere, some another thing in every place.
  if (!draw.chance(0.3)) return one;
  const same = one();
  return () => same;
}
