// The pieces of examples/pipelines/: least rights, nothing of a stranger run with ours, inputs that exist, and shell that does what it says.
import { execFile, execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { openDesk, worldOf } from '../e2e/support/desk.ts';
import { bin, cleanUp, newFolder, run } from '../e2e/support/program.ts';
import { startServer } from '../e2e/support/server.ts';
import { root } from '../architecture/source-tree.ts';
import { action } from './support/runner.ts';

const folder = join(root, 'examples/pipelines');
const read = (name: string): string => readFileSync(join(folder, name), 'utf8');

afterAll(cleanUp);
const server = await startServer({ world: worldOf('shop') });

interface Workflow {
  readonly on: Readonly<Record<string, unknown>>;
  readonly permissions: unknown;
  readonly jobs: Readonly<Record<string, WorkflowJob>>;
}

interface WorkflowJob {
  readonly if?: string;
  readonly environment?: string;
  readonly concurrency?: unknown;
  readonly permissions?: Readonly<Record<string, string>>;
  readonly 'timeout-minutes'?: number;
  readonly steps: readonly { readonly uses?: string; readonly run?: string; readonly with?: Record<string, unknown> }[];
}

describe.each(readdirSync(join(folder, 'github')))('github/%s', (name) => {
  const text = read(`github/${name}`);
  const workflow = parse(text) as Workflow;
  const jobs = Object.values(workflow.jobs);
  const steps = jobs.flatMap((job) => job.steps);

  it('may only read, but for the one right that a job needs', () => {
    expect(workflow.permissions).toEqual({ contents: 'read' });
    const writes = jobs.flatMap(({ permissions = {} }) =>
      Object.entries(permissions).filter(([, right]) => right === 'write'),
    );
    for (const [scope] of writes) expect(['pull-requests', 'issues', 'actions']).toContain(scope);
  });

  it('never runs with the rights of the target of a pull request, nor text from outside in a shell', () => {
    expect(Object.keys(workflow.on)).not.toContain('pull_request_target');
    expect(steps.filter(({ run = '' }) => run.includes('${{'))).toEqual([]);
  });

  it('pins what it uses, leaves no credential in the checkout, and ends', () => {
    for (const { uses, run } of steps) if (run === undefined) expect(uses).toMatch(/@([0-9a-f]{40}|FULL-COMMIT-SHA)$/);
    const checkouts = steps.filter(({ uses }) => uses?.startsWith('actions/checkout@'));
    expect(checkouts.filter((step) => step.with?.['persist-credentials'] !== false)).toEqual([]);
    expect(jobs.filter((job) => job['timeout-minutes'] === undefined)).toEqual([]);
  });

  it('keeps no cache that a pull request could fill', () => {
    const nodes = steps.filter(({ uses }) => uses?.startsWith('actions/setup-node@'));
    const runsTrueup = steps.some(
      (step) => !['rerun', undefined].includes(step.with?.['command'] as string | undefined),
    );
    expect(nodes.length > 0).toBe(runsTrueup);
    expect(nodes.filter((step) => step.with?.['package-manager-cache'] !== false)).toEqual([]);
  });

  it('gives the credential only to jobs that forks cannot start, behind an environment', () => {
    for (const job of jobs.filter(({ steps: own }) => JSON.stringify(own).includes('secrets.'))) {
      expect(job.environment).toMatch(/./);
      expect(job.concurrency).toBeDefined();
      if (Object.hasOwn(workflow.on, 'pull_request'))
        expect(job.if).toMatch(
          /^(?:github\.event_name != 'pull_request' \|\| )?github\.event\.pull_request\.head\.repo\.full_name == github\.repository$/,
        );
    }
  });

  it('uses inputs and outputs that the action has', () => {
    const own = steps.filter(({ uses }) => uses?.includes('/trueup/.github/actions/trueup@'));
    expect(own.length).toBeGreaterThan(0);
    for (const step of own) {
      for (const input of Object.keys(step.with ?? {})) expect(Object.keys(action.inputs)).toContain(input);
      for (const [input, { required }] of Object.entries(action.inputs))
        if (required === true) expect(Object.keys(step.with ?? {})).toContain(input);
    }
    for (const [, output] of text.matchAll(/outputs\.([\w-]+)/g)) expect(Object.keys(action.outputs)).toContain(output);
  });
});

it('retention.yml passes the branches of open pull requests, and nothing if they could not be listed', () => {
  const { jobs } = parse(read('github/retention.yml')) as Workflow;
  const script = jobs['retention']?.steps.find(({ run }) => run !== undefined)?.run ?? '';
  const listed = (gh: string): string => {
    const cwd = newFolder('refs');
    writeFileSync(join(cwd, 'gh'), `#!/bin/sh\n${gh}\n`, { mode: 0o755 });
    const env = { PATH: `${cwd}:${process.env['PATH']}`, RUNNER_TEMP: cwd, GITHUB_ENV: join(cwd, 'env') };
    execFileSync('bash', ['-ec', script], { cwd, env, stdio: 'ignore' });
    return readFileSync(env.GITHUB_ENV, 'utf8');
  };
  const refs = ['main', 'a"b$(id)', 'feature/x'];
  expect(listed(`printf '%s\\n' ${refs.map((ref) => `'${ref}'`).join(' ')}`)).toBe(
    `TRUEUP_VAR_OPEN_BRANCHES=${JSON.stringify(refs.map((ref) => `preview/${ref}`))}\n`,
  );
  expect(listed('true')).toBe('TRUEUP_VAR_OPEN_BRANCHES=[]\n');
  expect(() => listed('echo main; exit 1')).toThrow('Command failed');
});

describe('the action', () => {
  it('puts no input into a shell’s text, and every script is there', () => {
    for (const { run: text } of action.runs.steps) {
      const script = /^"\$GITHUB_ACTION_PATH\/([\w-]+\.sh)"$/.exec(text)?.[1] ?? '';
      expect(existsSync(join(root, '.github/actions/trueup', script)), text).toBe(true);
    }
  });

  it('gives the credential to no step that needs none', () => {
    const holders = action.runs.steps.filter(({ env }) => 'TRUEUP_API_KEY' in env).map(({ id }) => id);
    expect(holders).toEqual(['plan', 'allowed', 'apply', 'drift', 'previews']);
    const tokens = action.runs.steps.filter(({ env }) => 'GH_TOKEN' in env).map(({ id }) => id);
    expect(tokens).toEqual(['reviewed', 'consents', 'comment', 'rerun', 'issue', 'open', 'preview-comment']);
  });
});

/** What a job is told of this GitLab. */
async function reached(forge: Server): Promise<Readonly<Record<string, string>>> {
  await new Promise<void>((resolve) => {
    forge.listen(0, '127.0.0.1', resolve);
  });
  const { port } = forge.address() as AddressInfo;
  return { CI_API_V4_URL: `http://127.0.0.1:${port}`, CI_PROJECT_ID: '1', GITLAB_TOKEN: 'token' };
}

describe('gitlab-ci.yml', () => {
  const pipeline = parse(read('gitlab-ci.yml')) as Readonly<Record<string, { readonly script?: readonly string[] }>>;

  it('makes the report that merge requests show, from a real plan', async () => {
    const desk = openDesk(server, 'shop');
    desk.wish({ primary: 'branch: main, autoscaling_limit_max_cu: 2', stage: 'branch: staging', test: 'branch: test' });
    const { code, err } = await desk.run(['plan', '-o', 'plan.json']);
    expect(code, err).toBe(0);
    execFileSync('sh', ['-ec', pipeline['plan']?.script?.[1] ?? ''], { cwd: desk.folder });
    expect(JSON.parse(desk.read('tfplan.json'))).toEqual({ create: 2, update: 1, delete: 0 });
  });

  it('lists the open merge requests of the project for its previews, on all pages, and never a part of them', async () => {
    const pages = [
      [4, 5],
      [6, 7],
    ].map((ids) => ids.map((iid) => ({ iid, source_project_id: iid === 5 ? 2 : 1 })));
    let status = 200;
    const forge = createServer(({ url = '', headers }, reply) => {
      const page = Number(/[?&]page=(\d+)/.exec(url)?.[1]);
      const isAllowed =
        headers['private-token'] === 'token' && url.startsWith('/projects/1/merge_requests?state=opened&');
      reply.writeHead(isAllowed ? status : 401, { 'x-next-page': page < pages.length ? String(page + 1) : '' });
      reply.end(JSON.stringify(pages[page - 1]));
    });
    const env = await reached(forge);
    const script = (pipeline['previews']?.script ?? []).slice(0, 2).join('\n');
    const listed = async (): Promise<string> =>
      (
        await promisify(execFile)('sh', ['-ec', `${script}\nprintenv TRUEUP_VAR_OPEN_PRS`], {
          env: { ...process.env, ...env },
        })
      ).stdout;
    expect(await listed()).toBe('[4,6,7]\n');
    status = 502;
    await expect(listed()).rejects.toThrow('GitLab answers with 502');
    forge.close();
  });

  it('keeps one comment on each merge request that has a preview, and takes no comment of others for its own', async () => {
    const cwd = newFolder('notes');
    const preview = (key: number) => ({
      address: `shop/previews/pr/${key}`,
      id: `br-${key}`,
      secrets: [`exec:preview-${key}`],
      expires_at: '2026-02-01T00:00:00Z',
    });
    const previews = [preview(4), preview(6), preview(8)];
    writeFileSync(join(cwd, 'previews.json'), JSON.stringify({ previews }));
    const mark = '<!-- trueup preview -->';
    const text = [
      `${mark}\nThe preview \`shop/previews/pr/6\` is ready.\n\n- branch: \`br-6\``,
      '- connection: `exec:preview-6`',
      '- expires: 2026-02-01T00:00:00Z',
    ].join('\n');
    const notes: Readonly<Record<string, readonly object[]>> = {
      4: [
        { id: 1, author: { id: 8 }, body: `${mark}\nof somebody else` },
        { id: 2, author: { id: 9 }, body: `${mark}\nolder` },
      ],
      6: [],
    };
    const writes: string[] = [];
    const forge = createServer(({ url = '', method = '' }, reply) => {
      if (method !== 'GET') writes.push(`${method} ${url}`);
      reply.end(JSON.stringify(url === '/user' ? { id: 9 } : (notes[/requests\/(\d+)/.exec(url)?.[1] ?? ''] ?? {})));
    });
    const env = await reached(forge);
    const script = pipeline['previews']?.script?.[4] ?? '';
    const comment = async () =>
      promisify(execFile)('sh', ['-ec', script], {
        cwd,
        env: { ...process.env, ...env, TRUEUP_VAR_OPEN_PRS: '[4,5,6]' },
      });
    await comment();
    const at = '/projects/1/merge_requests';
    expect(writes).toEqual([`PUT ${at}/4/notes/2`, `POST ${at}/6/notes`]);
    Object.assign(notes, { 4: [], 6: [{ id: 3, author: { id: 9 }, body: text }] });
    await comment();
    expect(writes.slice(2)).toEqual([`POST ${at}/4/notes`]);
    forge.close();
  });

  it('names stages and jobs that are there, and gives the key to no job that needs none', () => {
    const {
      stages,
      default: common,
      variables,
      ...jobs
    } = parse(read('gitlab-ci.yml')) as {
      readonly stages: readonly string[];
      readonly default: object;
      readonly variables: object;
    } & Readonly<
      Record<string, { readonly stage: string; readonly needs?: readonly string[]; readonly rules: unknown }>
    >;
    expect(common).toHaveProperty('image');
    expect(variables).toEqual({ TRUEUP_FILE: 'trueup.yaml' });
    for (const job of Object.values(jobs)) {
      expect(stages).toContain(job.stage);
      expect(job.rules).toBeTruthy();
      for (const needed of job.needs ?? []) expect(Object.keys(jobs)).toContain(needed);
    }
    expect(read('gitlab-ci.yml')).toContain('env -u TRUEUP_API_KEY trueup validate');
  });

  it('runs commands that exist', async () => {
    const lines = Object.values(pipeline).flatMap(({ script = [] }) =>
      script.filter((line) => /^(?:env -u \S+ )?trueup /.test(line)),
    );
    expect(lines).toHaveLength(6);
    for (const line of lines) {
      const words = line
        .slice(line.indexOf('trueup ') + 7)
        .replace(/ (?:\$\{.*\}|> \S+)$/, '')
        .split(' ');
      const { code, err } = await run([...words, '--help'], { cwd: newFolder() });
      expect(code, err).toBe(0);
    }
  });
});

describe('kubernetes', () => {
  interface Container {
    readonly command?: readonly string[];
    readonly args: readonly string[];
    readonly securityContext: object;
  }
  const podOf = (name: string): { readonly containers: readonly Container[] } => {
    const manifest = parse(read(`kubernetes/${name}`)) as { spec: Record<string, never> };
    const job = (manifest.spec['jobTemplate'] as { spec: Record<string, never> } | undefined)?.spec ?? manifest.spec;
    return (job['template'] as unknown as { spec: { containers: Container[] } }).spec;
  };

  it.each(['drift-cronjob.yaml', 'apply-job.yaml'])('%s runs without rights', (name) => {
    const [container] = podOf(name).containers;
    expect(podOf(name)).toMatchObject({
      automountServiceAccountToken: false,
      restartPolicy: 'Never',
      securityContext: { runAsNonRoot: true },
    });
    expect(container?.securityContext).toMatchObject({ allowPrivilegeEscalation: false, readOnlyRootFilesystem: true });
  });

  it('the drift job reads a mounted ConfigMap, which is a folder of links', async () => {
    const desk = openDesk(server, 'shop');
    mkdirSync(desk.path('config/..2026'), { recursive: true });
    desk.wish({ primary: 'branch: main' });
    writeFileSync(desk.path('config/..2026/trueup.yaml'), desk.read('trueup.yaml'));
    symlinkSync('..2026', desk.path('config/..data'));
    symlinkSync('..data/trueup.yaml', desk.path('config/trueup.yaml'));
    const args = podOf('drift-cronjob.yaml').containers[0]?.args ?? [];
    const { code, err } = await desk.run(args.map((word) => (word === '/config' ? 'config' : word)));
    expect(code, err).toBe(0);
  });

  it('the pods of the indexed job run the shards 1/4 to 4/4', () => {
    const tools = newFolder('tools');
    writeFileSync(join(tools, 'trueup'), '#!/bin/sh\nprintf "%s\\n" "$*"\n');
    chmodSync(join(tools, 'trueup'), 0o755);
    const [container] = podOf('apply-job.yaml').containers;
    const [shell = '', ...rest] = [...(container?.command ?? []), ...(container?.args ?? [])];
    const shards = ['0', '1', '2', '3'].map((index) => {
      const env = { PATH: `${tools}:${process.env['PATH']}`, JOB_COMPLETION_INDEX: index };
      return /--shard (\S+)/.exec(execFileSync(shell, rest, { env, encoding: 'utf8' }))?.[1];
    });
    expect(shards).toEqual(['1/4', '2/4', '3/4', '4/4']);
  });

  it('the exit codes of a pod policy are those that nothing mends by itself', () => {
    for (const [name, values] of [
      ['drift-cronjob.yaml', '[1, 2, 4, 5]'],
      ['apply-job.yaml', '[1, 4, 5, 6]'],
    ] as const)
      expect(read(`kubernetes/${name}`)).toContain(`values: ${values}`);
  });
});

describe('the pre-commit hook', () => {
  it('refuses what is staged and not valid, whatever the working folder shows', () => {
    const cwd = newFolder('repository');
    const tools = toolsWithTrueup();
    const identity = {
      GIT_AUTHOR_NAME: 'a',
      GIT_AUTHOR_EMAIL: 'a@b',
      GIT_COMMITTER_NAME: 'a',
      GIT_COMMITTER_EMAIL: 'a@b',
    };
    const git = (...args: readonly string[]): { readonly status: number | null; readonly stderr: string } =>
      spawnSync('git', args, {
        cwd,
        encoding: 'utf8',
        env: { PATH: `${tools}:${process.env['PATH']}`, HOME: cwd, ...identity },
      });
    git('init', '--quiet');
    writeFileSync(join(cwd, '.git/hooks/pre-commit'), read('pre-commit'));
    chmodSync(join(cwd, '.git/hooks/pre-commit'), 0o755);
    writeFileSync(join(cwd, 'readme'), 'nothing to check yet');
    git('add', '.');
    const first = git('commit', '-m', 'first');
    expect(first.status).toBe(0);
    expect(first.stderr).toContain('nothing was checked, for there is no trueup.yaml and no .github/trueup-files');
    writeFileSync(join(cwd, 'trueup.yaml'), 'version: 2\n');
    git('add', '.');
    writeFileSync(join(cwd, 'trueup.yaml'), 'version: 1\n');
    const refused = git('commit', '-m', 'second');
    expect(refused.stderr).toContain('trueup.yaml:1:10');
    expect(refused.status).not.toBe(0);
    writeFileSync(join(cwd, 'trueup.yaml'), 'version: 1\nprojects: {}\n');
    git('add', '.');
    expect(git('commit', '-m', 'third').status).toBe(0);
  });
});

describe('.pre-commit-hooks.yaml', () => {
  interface Hook {
    readonly id: string;
    readonly entry: string;
    readonly language: string;
    readonly files: string;
    readonly pass_filenames: boolean;
    readonly verbose: boolean;
  }
  const [hook, ...others] = parse(readFileSync(join(root, '.pre-commit-hooks.yaml'), 'utf8')) as readonly Hook[];

  it('has the hook that the example names, of a program that this package installs', () => {
    const { repos } = parse(read('pre-commit-config.yaml')) as { repos: { hooks: { id: string }[] }[] };
    expect(repos.flatMap(({ hooks }) => hooks.map(({ id }) => id))).toEqual([hook?.id]);
    expect(others).toEqual([]);
    const { bin: programs } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { bin: object };
    expect(hook?.language).toBe('node');
    expect(Object.keys(programs)).toContain(/ (\w+) validate /.exec(hook?.entry ?? '')?.[1]);
  });

  it.each(['trueup.yaml', 'infra/other.yml', '.github/trueup-files'])('runs where %s changed', (file) => {
    expect(file).toMatch(new RegExp(hook?.files ?? 'none'));
    expect('readme.md').not.toMatch(new RegExp(hook?.files ?? 'none'));
    expect(hook?.pass_filenames).toBe(false);
  });

  it('checks the files of the arguments, else of the shared list, else trueup.yaml, and says when it checked nothing', () => {
    const cwd = newFolder('hook');
    const env = { PATH: `${toolsWithTrueup()}:${process.env['PATH']}`, TRUEUP_BASE_URL: 'http://127.0.0.1:9/api/v2' };
    const runHook = (...args: readonly string[]): readonly [code: number | null, told: string] => {
      const { status, stdout, stderr } = spawnSync('sh', ['-c', `${hook?.entry ?? ''} "$@"`, 'sh', ...args], {
        cwd,
        encoding: 'utf8',
        env,
      });
      return [status, stdout + stderr];
    };
    // It is shown where it says something: the tool hides what a hook that succeeds prints.
    expect(hook?.verbose).toBe(true);
    expect(runHook()).toEqual([0, expect.stringContaining('nothing was checked, for there is no trueup.yaml')]);
    writeFileSync(join(cwd, 'trueup.yaml'), 'version: 1\nprojects: {}\n');
    expect(runHook()[0]).toBe(0);
    writeFileSync(join(cwd, 'trueup.yaml'), 'version: 2\n');
    expect(runHook()).toEqual([1, expect.stringContaining('trueup.yaml:1:10')]);
    for (const folder of ['.github', 'infra', 'own state']) mkdirSync(join(cwd, folder));
    writeFileSync(join(cwd, '.github/trueup-files'), 'infra\n\nown state');
    writeFileSync(join(cwd, 'infra/a.yaml'), 'version: 1\n');
    writeFileSync(join(cwd, 'own state/b.yaml'), 'version: 1\n');
    expect(runHook()[0]).toBe(0);
    writeFileSync(join(cwd, 'own state/b.yaml'), 'version: 3\n');
    expect(runHook()).toEqual([1, expect.stringContaining('"own state/b.yaml":1:10')]);
    expect(runHook('--file', 'infra')[0]).toBe(0);
  });
});

/** A folder with the program under its name, for a PATH. */
function toolsWithTrueup(): string {
  const tools = newFolder('tools');
  writeFileSync(join(tools, 'trueup'), `#!/bin/sh\nexec "${process.execPath}" "${bin}" "$@"\n`);
  chmodSync(join(tools, 'trueup'), 0o755);
  return tools;
}
