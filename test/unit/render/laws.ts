// What no output may do, whatever the names in it: act on a terminal, a build service or a page.

const ACTIVE =
  /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u00ad\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]|[\u{e0000}-\u{e0fff}]|[\ud800-\udfff]/u;
const RUNNER_COMMAND = /^\s*::[a-z-]*[g-z]|##[a-z]*\[/im;

const COMES_TO_LIFE = /<script|<img|<iframe|<a\b|<[a-z]+[^>]*\son[a-z]+=|<[a-z]+[^>]*\s(?:href|src)=/i;

/** An element or attribute that acts, which only outside text can have brought into a page; undefined when there is none. */
export function livelyIn(page: string): string | undefined {
  // What stands in quotes is no attribute: a quote in a name would have to be spelled out.
  return COMES_TO_LIFE.exec(page.replace(/="[^"]*"/g, '=""'))?.[0];
}

/** What an image, a link or a mention begins with, outside of code. */
const LIVE_MARKDOWN = /!\[|\]\(|(?:^|[\s(])@[a-z]/im;

/** The same in a page of Markdown, where also links and mentions act; what stands in code does not. */
export function livelyInMarkdown(page: string): string | undefined {
  // No code goes on beyond a blank line, and none is in a block of HTML.
  const blocks = page.replace(/^(`{3,})[^\n]*\n[^]*?\n\1$/gm, '').split(/\n{2,}/);
  const bare = blocks
    .map((block) => (block.startsWith('<') ? block : block.replace(/(?<!`)(`+)(?!`)[^]*?(?<!`)\1(?!`)/g, '')))
    .join('\n\n');
  return COMES_TO_LIFE.exec(bare)?.[0] ?? LIVE_MARKDOWN.exec(bare)?.[0];
}

/** An active character or a command to a build service; undefined when there is none. */
export function activeIn(text: string): string | undefined {
  return ACTIVE.exec(text)?.[0] ?? RUNNER_COMMAND.exec(text)?.[0];
}

/** The names of the elements of a page. */
export function elementsOf(page: string): string[] {
  return [...new Set([...page.matchAll(/<\/?([a-z0-9]+)/gi)].map(([, tag = '']) => tag))];
}

/** What is left open, closed too early or has too many cells in a page of Markdown, in words. */
export function unbalancedIn(page: string): string[] {
  const found: string[] = [];
  let fence: string | undefined;
  let open = 0;
  let cells = 0;
  for (const line of page.split('\n')) {
    const ticks = /^(`{3,})/.exec(line)?.[1];
    if (fence !== undefined) {
      if (line === fence) fence = undefined;
      else if (ticks !== undefined && /^`+\s*$/.test(line) && ticks.length >= fence.length)
        found.push('a fence is closed by what stands in it');
      continue;
    }
    if (line.startsWith('| ')) {
      const bars = line.split('|').length;
      if (cells !== 0 && bars !== cells) found.push(`a row has ${bars} bars, not ${cells}`);
      cells = bars;
    } else cells = 0;
    if (ticks !== undefined) fence = ticks;
    else if (line.startsWith('<details>')) open++;
    else if (line === '</details>') open--;
  }
  return [
    ...found,
    ...(fence === undefined ? [] : ['a fence is left open']),
    ...(open === 0 ? [] : [`${open} folded sections are left open`]),
  ];
}
