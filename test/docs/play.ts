// Plays a page: writes its files and types its commands, in order, into one shell of a fresh folder beside a local server.
import { errorCode } from '../../src/base/error-code.ts';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bin, built, newFolder } from '../e2e/support/program.ts';
import { root } from '../architecture/source-tree.ts';
import { blocksOf, type Block } from './markdown-blocks.ts';

/** What a command printed, and how it ended; without a code the shell ended with it. */
interface Said {
  readonly output: string;
  readonly code: number | undefined;
}

/** The page as it went: the output of its console blocks is that of this run. Fails at a command of a shell block that fails. */
export async function playPage(text: string): Promise<string> {
  const blocks = blocksOf(text);
  const said = await runScript(blocks.map(scriptOf).join(''));
  let played = '';
  let rest = text;
  for (const [at, block] of blocks.entries()) {
    const from = rest.indexOf(block.whole);
    played += rest.slice(0, from) + playedBlock(block, at, said);
    rest = rest.slice(from + block.whole.length);
  }
  return played + rest;
}

function playedBlock(block: Block, at: number, said: ReadonlyMap<string, Said>): string {
  if (block.language === 'sh' && block.name === '') {
    const { output, code } = said.get(`${at}`) ?? { output: 'not reached', code: undefined };
    if (code !== 0) throw new Error(`a block failed:\n${block.body}\n${output}`);
  }
  if (block.language !== 'console') return block.whole;
  const lines = commandsOf(block).flatMap((command, index) => {
    const { output, code } = said.get(`${at}.${index}`) ?? { output: 'not reached', code: 0 };
    const end = code === 0 ? [] : [`(exit ${code})`];
    return [...(index === 0 ? [] : ['']), `$ ${command}`, ...(output === '' ? [] : [output]), ...end];
  });
  const played = `\`\`\`console\n${lines.join('\n')}\n\`\`\``;
  return shapeOf(played) === shapeOf(block.whole) ? block.whole : played;
}

/** The commands of a console block; one whose line ends with `\` goes on in the next. */
function commandsOf({ body }: Block): readonly string[] {
  return [...body.matchAll(/^\$ ((?:.*\\\n)*.*)$/gm)].map(([, command = '']) => command);
}

function scriptOf(block: Block, at: number): string {
  const { language, name, body } = block;
  if (name !== '' && !name.includes('/pipelines/'))
    return `mkdir -p "$(dirname ${name})"\ncat > ${name} <<'END_OF_BLOCK'\n${body}END_OF_BLOCK\n${language === 'sh' ? `chmod +x ${name}\n` : ''}`;
  if (language === 'sh') return `begin ${at}\nset -e\n${inOwnTerminal(body)}set +e\nend 0\n`;
  if (language !== 'console') return '';
  return commandsOf(block)
    .map((command, index) => `begin ${at}.${index}\n${inOwnTerminal(command)}\nend $?\n`)
    .join('');
}

/** A server that is not sent into the background by the reader runs in another terminal, and the reader copies its `export` line. */
function inOwnTerminal(text: string): string {
  return text.replaceAll(/^trueup serve\b(?!.*&$)/gm, 'other_terminal trueup serve');
}

const PRELUDE = `
exec 2>&1 < /dev/null
begin() { printf '\\036%s\\n' "$1"; }
end() { printf '\\037%s\\n' "$1"; }
other_terminal() {
  if [ -n "\${server:-}" ]; then kill "$server"; wait "$server"; fi
  rm -f "$HOME/serve.log"
  "$@" > "$HOME/serve.log" 2>&1 &
  server=$!
  until grep -qs '^export' "$HOME/serve.log"; do
    kill -0 "$server" || { cat "$HOME/serve.log"; return 1; }
    sleep 0.05
  done
  sleep 0.2
  cat "$HOME/serve.log"
  eval "$(grep '^export' "$HOME/serve.log")"
}
other_terminal trueup serve --ephemeral > /dev/null
`;

/** Runs a script with the tools that the pages speak of; those of others only look whether the files that they are given exist. */
async function runScript(script: string): Promise<ReadonlyMap<string, Said>> {
  built();
  const folder = realpathSync(newFolder('page'));
  const [home, cwd, tools] = ['me', 'infra', 'tools'].map((name) => join(folder, name)) as [string, string, string];
  for (const one of [home, cwd, tools]) mkdirSync(one);
  const program = (name: string, text: string): void => {
    writeFileSync(join(tools, name), `#!/bin/sh\n${text}\n`);
    chmodSync(join(tools, name), 0o755);
  };
  program('trueup', `[ "$1" != serve ] || set -- "$@" --port 0\nexec "${process.execPath}" "${bin}" "$@"`);
  program('npm', `[ "$1" = ci ] || [ "$1" = link ] || grep -q "\\"\${2:-$1}\\":" "${root}/package.json"`);
  for (const name of ['gh', 'kubectl', 'docker', 'npx'])
    program(name, `for word; do case $word in "${root}"*|*=*.yaml) test -e "\${word#*=}" || exit 9 ;; esac; done`);
  program('terraform', `exec "${process.execPath}" "${join(root, 'test/docs/fake-terraform.mjs')}" "$@"`);
  writeFileSync(join(home, 'script'), PRELUDE + script);
  const person = { GIT_AUTHOR_NAME: 'Ada', GIT_AUTHOR_EMAIL: 'ada@example.com' };
  const env = {
    PATH: `${tools}:${process.env['PATH'] ?? ''}`,
    HOME: home,
    TRUEUP: root,
    COMMIT: 'a'.repeat(40),
    ...person,
    GIT_COMMITTER_NAME: person.GIT_AUTHOR_NAME,
    GIT_COMMITTER_EMAIL: person.GIT_AUTHOR_EMAIL,
  };
  const how = { cwd, env, detached: true };
  const child = spawn('bash', [join(home, 'script')], { ...how, stdio: ['ignore', 'pipe', 'ignore'] });
  const chunks: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
  await once(child, 'exit');
  // The server of the page is in the group of its shell; a page without one leaves no group.
  try {
    process.kill(-(child.pid ?? 0), 'SIGTERM');
  } catch (error) {
    if (errorCode(error) !== 'ESRCH') throw error;
  }
  const text = Buffer.concat(chunks).toString('utf8');
  const outside = text.replaceAll(home, '/home/me').replaceAll(folder, '/home/me');
  const named = outside.replaceAll(root, '/usr/lib/node_modules/trueup');
  return new Map(
    [...named.matchAll(/\u001e(\S+)\n([^\u001e\u001f]*)(?:\u001f(\d+)\n)?/g)].map(([, id = '', output = '', code]) => [
      id,
      { output: output.trimEnd(), code: code === undefined ? undefined : Number(code) },
    ]),
  );
}

const VARIES: readonly (readonly [RegExp, string])[] = [
  [/\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d+)?)?( ?UTC|Z)?/g, 'TIME'],
  [/\b\d{4}-\d\d-\d\d\b/g, 'DAY'],
  [/\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\b|\b[0-9a-f]{12,64}\b/g, 'DIGITS'],
  [/\b\d+ ?(ms|s|m|h|d)\b(\s+\d+(s|m|h)\b)?(\s+ago)?/g, 'SPAN'],
  [/\bnow\b/g, 'SPAN'],
  [/(127\.0\.0\.1|localhost):\d+/g, '$1:PORT'],
  [/postgresql:\/\/\S+/g, 'URI'],
  [/trueup-serve-\w+/g, 'trueup-serve'],
  [/\b\d{5,}\b/g, 'NUMBER'],
  [/[─-]{3,}/g, '---'],
  // Lines are wrapped at other words where an id or a time is longer.
  [/\s+/g, ' '],
  [/(?<=[.:]) /g, '\n'],
];

/** A text without that in which two runs differ: times, ids of what was made, ports, digests, widths of columns, wrapped lines. */
export function shapeOf(text: string): string {
  const ids = new Map<string, string>();
  const idless = text.replaceAll(/\b(ep|br|org)-[a-z]+-[a-z]+-\d+\b/g, (id, kind: string) => {
    const name = ids.get(id) ?? `${kind}-${ids.size + 1}`;
    ids.set(id, name);
    return name;
  });
  return VARIES.reduce((shaped, [pattern, name]) => shaped.replaceAll(pattern, name), idless);
}
