// Rule: plain English. One term for one thing, sentences that begin with their subject, at most thirty words.
// usage: node test/docs/words.mjs [PATH…]     lists the sentences below these paths that break the rule; all of them without a path
import { argv, stdout } from 'node:process';
import { fileURLToPath } from 'node:url';
import { sentences } from './sentences.mjs';

/** The most words of a sentence; authors aim at 25. */
export const mostWords = 30;

/** Terms of a former dialect, each with the term to write. Only words that mean nothing else in this project. */
const TERMS = [
  [/\btold\b|\btells\b/i, 'reported, shows'],
  [/\banew\b/i, 're-created, rotated, again'],
  [/\bupkeep\b/i, '"every apply also": secret sync, TTL renewal'],
  [/\b(?:held|holds?|holding) back\b/i, 'blocked'],
  [/\b(?:let|lets|letting) be\b/i, 'accepted'],
  [/\bsecond look\b/i, 're-read, check'],
  [/\breads?[ -]back\b|\breading back\b/i, 'verify'],
  [/\bby evidence\b/i, 'by re-reading the API'],
  [/\brest(?:s|ed|ing)? (?:up)?on\b/i, 'depends on'],
  [/\bgo(?:es)? with (?:it|them)\b/i, 'is deleted with it'],
  [/\bshelved\b/i, 'soft-deleted'],
  [/\bvanish(?:ed|es)?\b/i, 'deleted outside trueup'],
  [/\b(?:given|gets|got|has) an end\b/i, 'gets an expiry'],
  [/\bnewcomers?\b/i, 'unexpected new resource'],
  [/\bnamesakes?\b/i, 'key with the same name'],
  [/\brings?\b/i, 'cycle'],
  [/\b(?:detour|passage)s?\b/i, 'temporary branch'],
  [/\bworlds?\b/i, 'seed data'],
  [/\bin clear\b/i, 'plaintext'],
  [/\bspoilt\b|\bspoils?\b/i, 'malformed'],
  [/\bmend(?:s|ed|ing)?\b/i, 'fix'],
  [/\bpeople connected\b/i, 'clients, open connections'],
  [/\bunless told\b|\bso already\b/i, 'default; unchanged'],
  [/\bstor(?:y|ies)\b/i, 'simulation run'],
  [/\bdeaths?\b/i, 'crash'],
  [/\blaws?\b/i, 'invariant, rule'],
  [/\bstakes?\b/i, 'data deleted'],
  [/\b(?:floors?|floor plan|annex|street door)\b/i, 'layer, local server, CLI'],
  [/\b(?:a|an|the|this|its own|each|every|one|another|pure) rooms?\b|\brooms (?:of|below)\b/i, 'package, folder'],
  [/\bthe house\b/i, 'the codebase'],
  [/\bshall\b/i, 'will, must'],
  [/\bwhence\b|\bhitherto\b|\bthereof\b/i, 'from, until now, of it'],
  [/\bplaces? (?:for|of) (?:a|an|the|its|each|every)?\s?(?:secret|password|key|connection)s?\b/i, 'sink'],
];

/** Openings that put the subject last. */
const OPENINGS = /^["'“(*_]*(?:What|Of|Where|Was|Were|That which|One that)\b/;

/** What a sentence breaks: forbidden terms, its opening, its length. */
export function wordViolations({ text, isHeading }) {
  const plain = text.replaceAll(/``.+?``|`[^`]*`/g, 'x').replaceAll(/"[^"\s]*"|<[^>\s]*>/g, 'x');
  const terms = TERMS.flatMap(([pattern, instead]) => {
    const term = pattern.exec(plain)?.[0];
    return term === undefined ? [] : [`"${term}": write ${instead}`];
  });
  const words = plain.split(/\s+/).filter((word) => /[A-Za-z0-9]/.test(word)).length;
  const opening = isHeading || words < 4 || plain.endsWith('?') ? undefined : OPENINGS.exec(plain)?.[0];
  return [
    ...terms,
    ...(opening === undefined ? [] : [`begins with "${opening}": begin with the subject`]),
    ...(words > mostWords ? [`${words} words, at most ${mostWords}`] : []),
  ];
}

/** The sentences of the paths that break the rule, each with its reasons. */
export function violations() {
  return sentences().flatMap((sentence) =>
    wordViolations(sentence).map((why) => ({
      area: sentence.area,
      path: sentence.path,
      line: `${sentence.path}: ${sentence.text}\n    ${why}`,
    })),
  );
}

if (argv[1] === fileURLToPath(import.meta.url)) {
  const paths = argv.slice(2);
  const isWanted = ({ path }) => paths.length === 0 || paths.some((wanted) => path.startsWith(wanted));
  const found = violations().filter(isWanted);
  stdout.write(`${found.map(({ line }) => `${line}\n`).join('')}${found.length} to rewrite\n`);
}
