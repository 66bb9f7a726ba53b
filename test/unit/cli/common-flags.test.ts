// Scripts give the same flags to every command: each command takes those of all, also where it has no use for them.
import { describe, expect, it } from 'vitest';
import { fakeIo } from '../../support/fake-io.ts';
import { buildProgram } from '../../../src/cli/program.ts';
import { main } from '../../../src/cli/main.ts';

const program = buildProgram({
  io: fakeIo({ cwd: '/' }),
  version: '1.0.0',
  called: null,
  onExit: () => undefined,
  writeOut: () => undefined,
  writeErr: () => undefined,
});
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
const WISH = ['--file', '--var', '--var-file', '--safety', '--target', '--exclude'];

describe('the flags of all commands', () => {
  it.each([...shown.keys()])('%s takes them', (name) => {
    const own = shown.get(name) ?? [];
    const taken = [...own, ...(hidden.get(name) ?? [])];
    expect(taken).toEqual(expect.arrayContaining(own.includes('--base-url') ? [...TELLING, ...WISH] : TELLING));
  });

  it('does not show them where they do nothing', () => {
    expect(hidden.get('ping')).toEqual(WISH);
    expect(hidden.get('hold')).toEqual(['--target', '--exclude']);
    expect(hidden.get('schema')).toEqual(TELLING);
    expect(hidden.get('plan')).toEqual([]);
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

  it('before the command they count as after it', async () => {
    const said: string[] = [];
    for (const argv of [
      ['--no-color', 'validate', '-f', 'nowhere.yaml'],
      ['validate', '-f', 'nowhere.yaml'],
    ]) {
      const io = fakeIo({ cwd: '/', env: { FORCE_COLOR: '1' } });
      await main(argv, io);
      said.push(io.err());
    }
    expect(said.map((text) => text.includes('\u001b['))).toEqual([false, true]);
  });
});
