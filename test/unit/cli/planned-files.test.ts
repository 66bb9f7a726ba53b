// The files that a saved plan was made from: looked for where it was made, and held against it where they are.
import { desiredDigestOf } from '../../../src/plan/json/plan-json.ts';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { Command } from '../../../src/cli/program/commander.ts';
import type { Invocation } from '../../../src/cli/command.ts';
import type { SharedFlags } from '../../../src/cli/program/flags.ts';
import { otherFiles, plannedFiles } from '../../../src/cli/plans/planned-files.ts';
import { readDesired } from '../../../src/cli/session/desired-files.ts';
import { settle } from '../../../src/cli/program/settings.ts';
import { fakeIo } from '../../support/fake-io.ts';

const wishOf = (seconds: number | string): string =>
  `version: 1\nprojects:\n  shop:\n    computes:\n      primary:\n        branch_id: br-a\n        suspend_timeout_seconds: ${seconds}\n`;
const overlayOf = (seconds: number): string =>
  `version: 1\nprojects: { shop: { computes: { primary: { suspend_timeout_seconds: ${seconds} } } } }\n`;

function invocationAt(cwd: string, flags: SharedFlags = {}, env: Readonly<Record<string, string>> = {}): Invocation {
  const io = fakeIo({ cwd, env });
  return { io, settings: settle(flags, io), flags: { ...flags }, words: [], program: new Command() };
}

type Texts = Readonly<Record<string, string | null>>;

interface Case {
  /** At the time of the plan. */
  readonly files: Texts;
  readonly paths?: readonly string[];
  readonly planFlags?: SharedFlags;
  readonly flags?: SharedFlags;
  /** Where it is applied. */
  readonly env?: Readonly<Record<string, string>>;
  /** What stands in the folder where it is applied. */
  readonly around?: Texts;
  /** What changes until it is applied; null = gone. */
  readonly later?: Texts;
  /** Symbolic links that are made then. */
  readonly links?: Readonly<Record<string, string>>;
  /** Folder of the plan, where the files are, as seen from where it is applied. */
  readonly below?: string;
}

async function find({
  files,
  paths = ['infra.yaml'],
  planFlags,
  flags,
  env,
  around = {},
  later = {},
  links = {},
  below = '',
}: Case): Promise<string | null> {
  const outside = mkdtempSync(join(tmpdir(), 'trueup-planned-'));
  onTestFinished(() => rmSync(outside, { recursive: true }));
  const cwd = join(outside, below);
  const put = (texts: Texts): void => {
    for (const [name, text] of Object.entries(texts)) {
      mkdirSync(dirname(join(cwd, name)), { recursive: true });
      if (text === null) rmSync(join(cwd, name));
      else writeFileSync(join(cwd, name), text);
    }
  };
  put(files);
  const planning = invocationAt(cwd, planFlags);
  const wish = await readDesired(planning, paths);
  put(later);
  for (const [name, target] of Object.entries(links)) symlinkSync(target, join(cwd, name));
  for (const [name, text] of Object.entries(around)) writeFileSync(join(outside, name), text ?? '');
  return otherFiles(invocationAt(outside, flags, env), {
    shown: join(below, 'plan.json'),
    files: plannedFiles(planning.settings, paths, wish.sources),
    desiredDigest: desiredDigestOf(wish.desired),
  });
}

const ONE = { 'infra.yaml': wishOf(600) };
const VARIABLE = { 'infra.yaml': wishOf('${var:S}') };
const OTHER = 'plan.json is stale: infra.yaml changed since the plan was saved';

describe('a saved plan and the files that it was made from', () => {
  it.each<[string, Case, string | null]>([
    ['as they were', { files: ONE }, null],
    ['another meaning', { files: ONE, later: { 'infra.yaml': wishOf(900) } }, OTHER],
    ['another layout', { files: ONE, later: { 'infra.yaml': `# why\n${wishOf('600')}` } }, null],
    ['none of them here', { files: ONE, later: { 'infra.yaml': null } }, null],
    ['no wish any more', { files: ONE, later: { 'infra.yaml': 'version: [' } }, OTHER],
    ['beside the plan, as they were', { files: ONE, below: 'sub' }, null],
    [
      'one of them gone',
      {
        files: { ...ONE, 'more.yaml': 'version: 1\n' },
        paths: ['infra.yaml', 'more.yaml'],
        later: { 'more.yaml': null },
      },
      'plan.json was also made from more.yaml, which no longer exists',
    ],
    [
      'a file more in a folder',
      {
        files: { 'all/a.yaml': wishOf(600) },
        paths: ['all'],
        later: { 'all/b.yaml': wishOf(900).replace('primary', 'b').replace('br-a', 'br-b') },
      },
      'plan.json is stale: all changed since the plan was saved',
    ],
    [
      'an overlay that is given, and says something else',
      { files: { ...ONE, 'o.yaml': overlayOf(900) }, flags: { overlay: ['o.yaml'] } },
      'plan.json is stale: infra.yaml and o.yaml changed since the plan was saved',
    ],
    // The job that applies need not have the variables of the job that planned.
    ['a variable that is not set here', { files: VARIABLE, planFlags: { var: ['S=600'] } }, null],
    ['a variable, given the same', { files: VARIABLE, planFlags: { var: ['S=600'] }, flags: { var: ['S=600'] } }, null],
    ['a variable, given another', { files: VARIABLE, planFlags: { var: ['S=600'] }, flags: { var: ['S=900'] } }, OTHER],
    [
      'a variable, set to another in the environment',
      { files: VARIABLE, planFlags: { var: ['S=600'] }, env: { TRUEUP_VAR_S: '900' } },
      OTHER,
    ],
    ['a folder that is empty here', { files: ONE, paths: ['.'], later: { 'infra.yaml': null } }, null],
    ['another variable given', { files: VARIABLE, planFlags: { var: ['S=600'] }, flags: { var: ['T=1'] } }, null],
    [
      'changed, with a variable that is not set here',
      {
        files: VARIABLE,
        planFlags: { var: ['S=600'] },
        later: { 'infra.yaml': `${wishOf('${var:S}')}        disabled: true\n` },
      },
      OTHER,
    ],
  ])('%s', async (_, given, expected) => {
    expect(await find(given)).toBe(expected);
  });

  it('an overlay that is given and not there is bad input', async () => {
    await expect(find({ files: ONE, flags: { overlay: ['nope.yaml'] } })).rejects.toThrow('nope.yaml does not exist');
  });

  it('an overlay says nothing where the files of the plan are not', async () => {
    const given = { files: { ...ONE, 'o.yaml': overlayOf(900) }, later: { 'infra.yaml': null } };
    await expect(find({ ...given, flags: { overlay: ['o.yaml'] } })).rejects.toThrow(
      '--overlay needs the files that plan.json was made from',
    );
  });

  it('one that cannot be read is bad input: nobody knows whether it says something else', async () => {
    const files = { 'all/a.yaml': wishOf(600), 'all/b.yaml': 'version: 1\n' };
    const later = { 'all/b.yaml': null };
    const links = { 'all/b.yaml': 'b.yaml' };
    await expect(find({ files, paths: ['all'], later, links })).rejects.toThrow(
      /^all\/b\.yaml cannot be read: a symbolic link forms a cycle, or leads elsewhere \(ELOOP\)$/,
    );
    const flags = { varFile: ['nowhere.json'] };
    await expect(find({ files: ONE, flags })).rejects.toThrow(/^nowhere\.json does not exist/);
  });

  it('that nobody can look at end it with a reason', async () => {
    const cwd = mkdtempSync(join(tmpdir(), 'trueup-planned-'));
    onTestFinished(() => rmSync(cwd, { recursive: true }));
    symlinkSync('infra', join(cwd, 'infra'));
    const wanted = { shown: 'plan.json', files: { paths: ['infra'], digest: '' }, desiredDigest: '' };
    await expect(otherFiles(invocationAt(cwd), wanted)).rejects.toMatchObject({
      name: 'UsageError',
      message: 'cannot read infra: a symbolic link forms a cycle, or leads elsewhere (ELOOP)',
    });
  });
});
