// The pipelines of this repository: least permission, pinned actions, nothing that runs a stranger's code with our rights.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { filesBelow, root } from './source-tree.ts';

interface Workflow {
  readonly on: unknown;
  readonly permissions?: unknown;
  readonly jobs: Readonly<Record<string, Job>>;
}

interface Job {
  readonly 'timeout-minutes'?: number;
  readonly permissions?: unknown;
  readonly steps?: readonly Step[];
}

interface Step {
  readonly uses?: string;
  readonly run?: string;
  readonly with?: Readonly<Record<string, unknown>>;
}

const workflows = filesBelow('.github/workflows', '.yml');

describe.each(workflows)('%s', (name) => {
  const workflow = parse(readFileSync(join(root, '.github/workflows', name), 'utf8')) as Workflow;
  const steps = Object.values(workflow.jobs).flatMap((job) => job.steps ?? []);

  it('may only read the repository', () => {
    expect(workflow.permissions).toEqual({ contents: 'read' });
  });

  it('may besides that, in the jobs of a release alone, publish and prove who publishes', () => {
    const more = Object.values(workflow.jobs).flatMap(({ permissions }) => permissions ?? []);
    const publishes = [
      { contents: 'write', 'id-token': 'write' },
      { contents: 'read', packages: 'write' },
    ];
    expect(more).toEqual(name === 'release.yml' ? publishes : []);
  });

  it('never runs with the rights of the target of a pull request', () => {
    expect(JSON.stringify(workflow.on)).not.toContain('pull_request_target');
  });

  it('pins every action to a commit', () => {
    const actions = steps.flatMap(({ uses }) => (uses === undefined || uses.startsWith('./') ? [] : [uses]));
    expect(actions.filter((action) => !/@[0-9a-f]{40}$/.test(action))).toEqual([]);
  });

  it('leaves no credential in the checkout', () => {
    const checkouts = steps.filter(({ uses }) => uses?.startsWith('actions/checkout@'));
    expect(checkouts.filter((step) => step.with?.['persist-credentials'] !== false)).toEqual([]);
  });

  it('puts no text from outside into a shell', () => {
    expect(steps.filter(({ run }) => /\$\{\{\s*github\.(event|head_ref)/.test(run ?? ''))).toEqual([]);
  });

  it('ends, whatever happens', () => {
    expect(Object.values(workflow.jobs).filter((job) => job['timeout-minutes'] === undefined)).toEqual([]);
  });
});

it('continuous integration runs on every Node line that we promise', () => {
  const text = readFileSync(join(root, '.github/workflows/ci.yml'), 'utf8');
  for (const line of [20, 22, 24, 26]) expect(text).toContain(`'${line}'`);
});

describe('a release', () => {
  const text = readFileSync(join(root, '.github/workflows/release.yml'), 'utf8');
  const { on, jobs } = parse(text) as Workflow;
  const runs = Object.values(jobs).flatMap(({ steps }) => (steps ?? []).flatMap(({ run }) => run ?? []));

  it('is of a tag, which names the version of the package', () => {
    expect(on).toEqual({ push: { tags: ['v*'] } });
    expect(runs.join('\n')).toContain('"$GITHUB_REF_NAME"');
  });

  it('is published last, with its provenance, after it was built and tested from the lock file', () => {
    const order = [
      'npm ci',
      'npm run build',
      'npm test',
      'npm sbom',
      'npm publish',
      'gh release',
      'docker buildx build',
    ];
    const places = order.map((words) => runs.findIndex((run) => run.includes(words)));
    expect(places).toEqual(places.toSorted((a, b) => a - b));
    expect(places).not.toContain(-1);
    expect(runs.join('\n')).toMatch(/npm publish \S+ --provenance[^]*docker buildx build --provenance/);
  });

  it('is of the repository that the package names', () => {
    const { repository } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Record<string, unknown>;
    expect(repository).toEqual({ type: 'git', url: 'git+https://github.com/trueup-dev/trueup.git' });
  });
});
