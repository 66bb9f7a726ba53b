// What holds for every output, whatever the names in it are.
import { jsonOf, markdownOf, markupOf, textsOf, WORLD } from '../../unit/render/every.ts';
import { poisoned } from '../../unit/render/hostile.ts';
import { activeIn, elementsOf, livelyIn, unbalancedIn } from '../../unit/render/laws.ts';

/** What pages hold when nobody is hostile: with a diff, and without. */
const OURS = ['plain', 'two\nlines', ''].map((text) => markupOf(poisoned(WORLD, text)));

/** Broken laws, in words. */
export function judgeNames(text: string | (() => string)): readonly string[] {
  try {
    const world = poisoned(WORLD, text);
    const pages = markupOf(world);
    const json = jsonOf(world);
    const outputs = { ...textsOf(world), ...markdownOf(world), ...pages, ...json };
    return [
      ...Object.entries(outputs).flatMap(([name, output]) => {
        const active = activeIn(output);
        return active === undefined ? [] : [`${name} keeps ${JSON.stringify(active)}`];
      }),
      ...Object.entries(markdownOf(world)).flatMap(([name, page]) =>
        unbalancedIn(page).map((words) => `${name}: ${words}`),
      ),
      ...Object.entries(pages).flatMap(([name, page]) => foreignIn(name, page)),
      ...Object.entries(json).flatMap(([name, output]) => brokenJson(name, output)),
    ];
  } catch (error) {
    return [`it threw ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`];
  }
}

function foreignIn(name: string, page: string): string[] {
  const ours = new Set(OURS.flatMap((pages) => elementsOf(pages[name] ?? '')));
  const foreign = elementsOf(page).filter((element) => !ours.has(element));
  const lively = livelyIn(page);
  return [
    ...foreign.map((element) => `${name} has an element ${element}`),
    ...(lively === undefined ? [] : [`${name} comes to life: ${lively}`]),
  ];
}

/** Each line of an event log, or the whole, is JSON. */
function brokenJson(name: string, output: string): string[] {
  try {
    for (const part of name.endsWith('.ndjson') ? output.trimEnd().split('\n') : [output]) JSON.parse(part);
    return [];
  } catch {
    return [`${name} is no JSON`];
  }
}
