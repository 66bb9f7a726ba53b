// Writes the README beside the clients: their commands, what each shows, and which failed.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { format } from 'prettier';
import { root } from './paths.mjs';

export async function writePage(results) {
  const failed = results.filter(({ failure }) => failure !== undefined).length;
  const text = [
    '<!-- written by `npm run clients` -->',
    '# Real clients',
    "Other people's clients run unmodified against `trueup serve`: the vendor's libraries and command-line tools, each told only the address and a key. `npm run clients` installs them in `test/clients` at locked versions, starts a server on a temporary store, runs every line below, checks what the client printed or returned, and reads the world afterwards through the API by plain requests. No process of the run may open a connection beyond this machine.",
    'Words in capitals stand for ids: `PROJECT` is the project of that client, `MAIN`, `STAGING` and `DEV` its branches, `PRIMARY` the compute of its default branch.',
    `**${results.length - failed} passed, ${failed} failed**`,
    ...tables(results),
    '',
  ].join('\n\n');
  const path = join(root, 'test', 'clients', 'README.md');
  const options = JSON.parse(readFileSync(join(root, '.prettierrc.json'), 'utf8'));
  writeFileSync(path, await format(text, { ...options, parser: 'markdown' }));
}

const nameOf = ({ client, version }) => `${client} ${version}`.trim();

function tables(results) {
  const names = [...new Set(results.map(nameOf))];
  return names.flatMap((name) => [`## ${name}`, table(results.filter((one) => nameOf(one) === name))]);
}

function table(results) {
  const rows = results.map(({ command, shows, failure }) =>
    row([`\`${command}\``, failure === undefined ? shows : `FAILED: ${firstLine(failure)} (${shows})`]),
  );
  return [row(['command', 'shows']), row(['---', '---']), ...rows].join('\n');
}

function row(cells) {
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
}

function firstLine(text) {
  return text.split('\n')[0];
}
