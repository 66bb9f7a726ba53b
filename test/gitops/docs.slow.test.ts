// docs/gitops.md and docs/adopting.md are true: shell runs, transcripts print what they show, YAML is that of the files. UPDATE=1 rewrites transcripts.
import { execFile } from 'node:child_process';
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { bin, cleanUp, newFolder, run } from '../e2e/support/program.ts';
import { startServer, type Server } from '../e2e/support/server.ts';
import { root } from '../architecture/source-tree.ts';
import { testClock } from '../support/fake-io.ts';
import { seedLocalWorld } from '../support/local-world.ts';
import { replay } from '../support/transcript.ts';
import { openRepository } from './support/repository.ts';
import { action, openRunner, REPOSITORY } from './support/runner.ts';
import { runWorkflow } from './support/workflow.ts';
import { blocksOf } from '../docs/markdown-blocks.ts';
import { adoptingWorld, terraformState } from './support/worlds.ts';

afterAll(cleanUp);

const pages = ['gitops.md', 'adopting.md'];

/** A folder with a repository and the tools that the pages speak of; those of others only note how they were called. */
function workplace(server: Server): { readonly cwd: string; sh(text: string): Promise<string> } {
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

/** A file of the reader's own, which the shell that follows works on; other names are files of examples/pipelines/. */
function isWritten(name: string): boolean {
  return name !== '' && !existsSync(join(root, 'examples/pipelines', name));
}

describe.each(pages)('docs/%s', (page) => {
  const path = join(root, 'docs', page);
  const text = readFileSync(path, 'utf8');
  const blocks = blocksOf(text);

  it('has no block that nothing checks', () => {
    expect(blocks.length).toBeGreaterThan(0);
    for (const { language } of blocks) expect(['sh', 'yaml', 'console', 'hcl']).toContain(language);
  });

  it('quotes files as they are', () => {
    for (const { body, name } of blocks.filter(({ language }) => language === 'yaml')) {
      if (name === '' || isWritten(name)) expect(parse(body)).toBeTruthy();
      else expect(isPartOf(body, readFileSync(join(root, 'examples/pipelines', name), 'utf8')), body).toBe(true);
    }
  });

  it('has transcripts that print what they show', async () => {
    let actual = text;
    let seed = 1;
    for (const { body, whole } of blocks.filter(({ language }) => language === 'console')) {
      const cwd = newFolder('docs');
      const clock = testClock();
      seedLocalWorld({ cwd, clock });
      writeFileSync(join(cwd, 'trueup.yaml'), LOCAL_WISH);
      actual = actual.replace(whole, () => `\`\`\`console\n`.concat('%BODY%', '```'));
      const replayed = await replay(body, { cwd, clock, seed: (seed += 100) });
      actual = actual.replace('%BODY%', () => replayed);
    }
    if (process.env['UPDATE'] === '1') writeFileSync(path, actual);
    else expect(actual).toBe(text);
  });
});

/** What the pages say, done word for word: adopting three teams, and then every change by pull request. */
describe('a walk through docs/adopting.md and then docs/gitops.md', () => {
  let server: Server;
  let cwd: string;
  let sh: (text: string) => Promise<string>;

  it('gets to its end in a clean folder', async () => {
    server = await startServer({ world: adoptingWorld(3) });
    ({ cwd, sh } = workplace(server));
    await sh('git init --quiet --initial-branch=main');
    writeFileSync(join(cwd, 'terraform.tfstate'), terraformState());
    for (const block of pages
      .toReversed()
      .flatMap((page) => blocksOf(readFileSync(join(root, 'docs', page), 'utf8')))) {
      if (block.language === 'yaml' && isWritten(block.name)) writeFileSync(join(cwd, block.name), block.body);
      if (block.language !== 'sh') continue;
      await sh(block.body).catch((error: unknown) => expect.fail(`${block.body}\n${String(error)}`));
    }
    expect((await sh('git ls-files infra .github')).split('\n')).toEqual(
      expect.arrayContaining(['infra/team-001.yaml', 'infra/team-003.yaml', '.github/trueup-files']),
    );
  });

  it('takes over an account of thirty projects with all that is in them, as written', async () => {
    const place = workplace(await startServer({ world: adoptingWorld(30) }));
    const blocks = blocksOf(readFileSync(join(root, 'docs/adopting.md'), 'utf8'));
    const { body = '' } = blocks.find(({ body: text }) => text.includes('--include projects')) ?? {};
    // It ends with a plan that must be empty.
    await place.sh(body);
    expect((await place.sh('ls whole')).trim().split('\n')).toHaveLength(30);
  }, 120_000);

  it('leaves a hook that checks what is staged of all the teams', async () => {
    const files = join(cwd, 'infra/team-002.yaml');
    const before = readFileSync(files, 'utf8');
    writeFileSync(files, before.replace('branch_id: ', 'branch_od: '));
    await expect(sh("git add infra && git commit -m 'A slip'")).rejects.toThrow(/branch_id/);
    writeFileSync(files, before);
    await sh('git add infra');
  });

  it('leaves workflows that plan, apply and watch all the teams', async () => {
    const folder = newFolder('forge');
    const repository = openRepository(folder);
    const runner = openRunner(folder);
    const forges = {
      repository,
      runner,
      folder,
      secrets: { TRUEUP_API_KEY: server.key },
      env: { TRUEUP_BASE_URL: server.baseUrl },
    };
    const tracked = (await sh('git ls-files infra .github/trueup-files')).trim().split('\n');
    const texts = Object.fromEntries(tracked.map((name) => [name, readFileSync(join(cwd, name), 'utf8')]));
    repository.commit('main', texts);
    const name = 'infra/team-002.yaml';
    const resized = (texts[name] ?? '').replace(/^(\s+)branch_id: .*$/m, '$&\n$1autoscaling_limit_max_cu: 2');
    repository.commit('resize', { [name]: resized }, 'main');
    const pull = repository.propose(1, 'resize', REPOSITORY);
    const steps = Object.values(await runWorkflow('pull-request.yml', { event: 'pull_request', pull }, forges)).flat();
    expect(steps.map((step) => (step === 'skipped' ? step : step.failed ? step.log : ''))).toEqual(['', '', '']);
    expect(runner.forge().comments[0]?.body).toContain('team-002/primary');
    const [drift] = Object.values(await runWorkflow('nightly.yml', { event: 'schedule' }, forges)).flat();
    expect(drift).toMatchObject({ outputs: { 'exit-code': '0' } });
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
