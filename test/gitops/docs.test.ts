// docs/gitops.md and docs/adopting.md are true: shell runs, transcripts print what they show, YAML is that of the files. UPDATE=1 rewrites transcripts.
import { execFile } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { bin, cleanUp, newFolder, run } from '../e2e/support/program.ts';
import { startServer, type Server } from '../e2e/support/server.ts';
import { root } from '../house/source-tree.ts';
import { testClock } from '../support/fake-io.ts';
import { seedLocalWorld } from '../support/local-world.ts';
import { replay } from '../support/transcript.ts';
import { action } from './support/runner.ts';
import { blocksOf } from '../readme/markdown-blocks.ts';
import { adoptingWorld, gitopsWish, gitopsWorld, terraformState } from './support/worlds.ts';

afterAll(cleanUp);

const pages = ['gitops.md', 'adopting.md'];

/** A folder with a repository and the tools that the pages speak of; those of others only note how they were called. */
function workplace(server: Server, wish: string): { readonly cwd: string; sh(text: string): Promise<string> } {
  const cwd = newFolder('docs');
  const tools = newFolder('tools');
  const program = (name: string, text: string): void => {
    writeFileSync(join(tools, name), `#!/bin/sh\n${text}\n`);
    chmodSync(join(tools, name), 0o755);
  };
  // The budget of requests is there for the vendor's sake.
  program(
    'trueup',
    `case $1 in plan | import | pin | hold) set -- "$@" --requests-per-minute 1000000 ;; esac
exec "${process.execPath}" "${bin}" "$@"`,
  );
  for (const name of ['gh', 'kubectl', 'docker'])
    program(name, `for word; do case $word in /*|*=*.yaml) test -e "\${word#*=}" || exit 9 ;; esac; done`);
  program('terraform', `exec "${process.execPath}" "${join(import.meta.dirname, 'support/fake-terraform.mjs')}" "$@"`);
  if (wish !== '') writeFileSync(join(cwd, 'trueup.yaml'), wish);
  writeFileSync(join(cwd, 'api-key'), server.key);
  const env = {
    PATH: `${tools}:${process.env['PATH'] ?? ''}`,
    HOME: cwd,
    TRUEUP: root,
    COMMIT: 'a'.repeat(40),
    TRUEUP_API_KEY: server.key,
    TRUEUP_BASE_URL: server.baseUrl,
    GIT_AUTHOR_NAME: 'Ada',
    GIT_AUTHOR_EMAIL: 'ada@example.com',
    GIT_COMMITTER_NAME: 'Ada',
    GIT_COMMITTER_EMAIL: 'ada@example.com',
  };
  return {
    cwd,
    async sh(text) {
      const { stdout } = await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', text], { cwd, env });
      return stdout;
    },
  };
}

/** True when the file has these lines, one below the other, all of them indented by the same. */
function isPartOf(body: string, file: string): boolean {
  const lines = body.trimEnd().split('\n');
  return [0, 2, 4, 6, 8, 10].some((indent) =>
    file.includes(lines.map((line) => `${' '.repeat(indent)}${line}\n`).join('')),
  );
}

/** A file of the reader's own, which the shell that follows works on; other names are files of docs/gitops/. */
function isWritten(name: string): boolean {
  return name !== '' && !existsSync(join(root, 'docs/gitops', name));
}

describe.each(pages)('docs/%s', (page) => {
  const path = join(root, 'docs', page);
  const text = readFileSync(path, 'utf8');
  const blocks = blocksOf(text);

  it('has no block that nothing checks', () => {
    expect(blocks.length).toBeGreaterThan(0);
    for (const { language } of blocks) expect(['sh', 'yaml', 'console', 'hcl']).toContain(language);
  });

  it('has shell that runs, from the first block to the last', async () => {
    const server = await startServer({ world: page === 'gitops.md' ? gitopsWorld() : adoptingWorld(300) });
    const { cwd, sh } = workplace(server, page === 'gitops.md' ? gitopsWish() : '');
    await sh('git init --quiet --initial-branch=main');
    writeFileSync(join(cwd, 'terraform.tfstate'), terraformState());
    for (const block of blocks) {
      if (block.language === 'yaml' && isWritten(block.name)) writeFileSync(join(cwd, block.name), block.body);
      if (block.language !== 'sh') continue;
      await sh(block.body).catch((error: unknown) => expect.fail(`${block.body}\n${String(error)}`));
    }
    expect(existsSync(join(cwd, '.git'))).toBe(true);
  });

  it('quotes files as they are', () => {
    for (const { body, name } of blocks.filter(({ language }) => language === 'yaml')) {
      if (name === '' || isWritten(name)) expect(parse(body)).toBeTruthy();
      else expect(isPartOf(body, readFileSync(join(root, 'docs/gitops', name), 'utf8')), body).toBe(true);
    }
  });

  it('has transcripts that print what they show', async () => {
    let actual = text;
    let seed = 1;
    for (const { body, whole } of blocks.filter(({ language }) => language === 'console')) {
      const cwd = newFolder('docs');
      const clock = testClock();
      seedLocalWorld({ cwd, clock });
      mkdirSync(join(cwd, '.trueup'), { recursive: true });
      writeFileSync(join(cwd, 'trueup.yaml'), LOCAL_WISH);
      actual = actual.replace(whole, () => `\`\`\`console\n`.concat('%BODY%', '```'));
      const replayed = await replay(body, { cwd, clock, seed: (seed += 100) });
      actual = actual.replace('%BODY%', () => replayed);
    }
    if (process.env['UPDATE'] === '1') writeFileSync(path, actual);
    else expect(actual).toBe(text);
  });
});

/** For transcripts: what the README's world holds, and a project that does not exist yet. */
const LOCAL_WISH = `version: 1
projects:
  shop:
    branches: { main: br-wispy-meadow-118737 }
    computes:
      primary: { branch: main, autoscaling_limit_max_cu: 4 }
`;

describe('docs/adopting.md', () => {
  it('takes out of Terraform by command what it takes out by blocks', () => {
    const all = blocksOf(readFileSync(join(root, 'docs/adopting.md'), 'utf8'));
    const removed = all.flatMap(({ body }) => [...body.matchAll(/^ {2}from = (\S+)$/gm)].map(([, address]) => address));
    const [, words = ''] = /^terraform state rm (.+)$/m.exec(all.map(({ body }) => body).join('')) ?? [];
    expect(removed).toEqual(words.split(' '));
  });
});

describe('docs/rotation.md', () => {
  it('has YAML that is valid', async () => {
    const [block] = blocksOf(readFileSync(join(root, 'docs/rotation.md'), 'utf8'));
    const cwd = newFolder('docs');
    writeFileSync(join(cwd, 'trueup.yaml'), `version: 1\n${block?.body}`);
    const { code, err } = await run(['validate'], { cwd });
    expect(code, err).toBe(0);
  });
});

describe('docs/gitops.md', () => {
  it('tells every input and output of the action', () => {
    const text = readFileSync(join(root, 'docs/gitops.md'), 'utf8');
    for (const name of [...Object.keys(action.inputs), ...Object.keys(action.outputs)])
      expect(text).toContain(`\`${name}\``);
  });
});
