// Spelling: American English by the Hunspell dictionary, and the words of `known-words.txt`.
// usage: node test/docs/spelling.mjs     prints each misspelt word with its files
import { readFileSync } from 'node:fs';
import { argv, stdout } from 'node:process';
import { fileURLToPath } from 'node:url';
import dictionary from 'dictionary-en';
import nspell from 'nspell';
import { sentences } from './sentences.mjs';

const known = readFileSync(new URL('known-words.txt', import.meta.url), 'utf8')
  .trim()
  .split('\n');

/** The misspelt words of documents and schemas, each with a file; the page of the command line has the help. */
export function misspelt() {
  const speller = nspell(dictionary);
  for (const word of known) speller.add(word);
  const found = new Map();
  for (const { path, text } of sentences(['docs', 'schemas']))
    for (const word of wordsOf(text)) if (!found.has(word)) found.set(word, speller.correct(word) ? null : path);
  return [...found].filter(([, path]) => path !== null).map(([word, path]) => `${path}: ${word}`);
}

/** The words of a sentence; code, addresses, names with digits or inner capitals are none. */
export function wordsOf(text) {
  const prose = text.replaceAll(/`[^`]*`|\S*[/\\@_<>={}$|*#~]\S*|--[\w-]+|\S+\.\w+\b|\S*\d\S*/g, ' ');
  return (prose.match(/[A-Za-z][A-Za-z'’]*[A-Za-z]/g) ?? [])
    .map((word) => word.replace(/['’]s$/, '').replace('’', "'"))
    .filter((word) => !/[a-z][A-Z]|[A-Z]{2}/.test(word));
}

if (argv[1] === fileURLToPath(import.meta.url)) stdout.write(`${misspelt().join('\n')}\n`);
