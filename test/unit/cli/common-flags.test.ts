// Scripts give the same flags to every command: each command takes those of all, also where it has no use for them.
import { describe, expect, it } from 'vitest';
import { fakeIo } from '../../support/fake-io.ts';
import { main } from '../../support/loaded-program.ts';
import { silentProgram } from '../../support/silent-program.ts';

const program = silentProgram();
const longs = (hidden: boolean): ReadonlyMap<string, readonly (string | undefined)[]> =>
  new Map(
    program.commands.map((command) => [
      command.name(),
      command.options.filter((option) => option.hidden === hidden).map(({ long }) => long),
    ]),
  );
const shown = longs(false);
const hidden = longs(true);
const TELLING = ['--no-color', '--quiet', '--verbose', '--log-file'];
const WISH = ['--file', '--overlay', '--var', '--var-file', '--safety', '--max-entries'];
const SERVICE =
  '--local --base-url --org-id --api-key-file --requests-per-minute --timeout --parallelism --step-timeout --poll-interval'.split(
    ' ',
  );
const SELECTION = ['--target', '--exclude'];
/** Neither a file of wishes nor an account is looked at. */
const APART = ['init', 'schema', 'explain', 'completion', 'serve'];

describe('the flags of all commands', () => {
  it.each([...shown.keys()])('%s takes them', (name) => {
    const taken = [...(shown.get(name) ?? []), ...(hidden.get(name) ?? [])];
    const common = APART.includes(name) ? TELLING : [...TELLING, ...WISH, ...SERVICE, ...SELECTION];
    expect(taken).toEqual(expect.arrayContaining(common));
    // `init --retention` looks at an account.
    if (APART.includes(name) && name !== 'init') expect(taken).not.toEqual(expect.arrayContaining(['--base-url']));
  });

  it('does not show them where they do nothing', () => {
    const pace = ['--parallelism', '--step-timeout', '--poll-interval'];
    expect(hidden.get('ping')).toEqual(['--max-chars', ...WISH, ...SELECTION, ...pace]);
    expect(hidden.get('hold')).toEqual([...SELECTION, ...pace]);
    expect(hidden.get('validate')).toEqual(['--max-chars', ...SELECTION, ...SERVICE]);
    expect(hidden.get('schema')).toEqual(TELLING);
    expect(hidden.get('plan')).toEqual(pace);
    expect(hidden.get('apply')).toEqual(['--max-chars']);
  });

  it('are taken without a word where they do nothing', async () => {
    const values = ['--local', '--org-id=o', '--parallelism=2', '--poll-interval=1s', '--step-timeout=1m'];
    const told = ['--requests-per-minute=9', '--timeout=1m', '--target=a/b', '--exclude=c/d', '--log-file=/dev/null'];
    const io = fakeIo({ cwd: '/', stdin: 'version: 1\n' });
    expect(await main(['validate', '-f', '-', ...values, ...told], io)).toBe(0);
    expect(io.err()).toBe('');
  });

  it.each([
    [['--no-color', 'schema', 'plan'], 0],
    [['-q', '--log-file', 'x', 'schema', 'plan'], 0],
    [['-q', 'schema', 'plan', '-v'], 1],
    // What makes no sense stays refused.
    [['schema', '--target', 'a/b'], 1],
    [['import', '--format', 'json'], 1],
  ])('%j ends with %i', async (argv, code) => {
    expect(await main(argv, fakeIo({ cwd: '/' }))).toBe(code);
  });

  it.each(['', '0'])('colour is not forced by FORCE_COLOR=%j', async (value) => {
    const io = fakeIo({ cwd: '/', env: { FORCE_COLOR: value } });
    await main(['validate', '-f', 'nowhere.yaml'], io);
    expect(io.err()).toContain('nowhere.yaml');
    expect(io.err()).not.toContain('\u001b[');
  });
});
