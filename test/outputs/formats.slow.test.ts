// Every format of every command: printed and written the same, shown again from a saved file, refused where it makes no sense.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { columnsOf } from '../../src/render/text/width.ts';
import { fullDesk } from './account.ts';
import { clearDesks, type Desk } from './desk.ts';

/** One desk for commands that only look and for what is refused; the others have one of their own. */
let looked: Desk;
beforeAll(() => {
  looked = fullDesk();
});
afterAll(clearDesks);

const COMMANDS: Readonly<Record<string, { readonly argv: readonly string[]; readonly formats: readonly string[] }>> = {
  plan: { argv: ['plan'], formats: ['human', 'json', 'ndjson', 'markdown', 'html'] },
  apply: { argv: ['apply', '--auto-approve'], formats: ['human', 'json', 'ndjson', 'markdown', 'html'] },
  drift: { argv: ['drift'], formats: ['human', 'json', 'ndjson', 'markdown', 'html', 'junit', 'sarif', 'prometheus'] },
  list: { argv: ['list'], formats: ['human', 'json', 'env'] },
  keys: { argv: ['keys'], formats: ['human', 'json'] },
  operations: { argv: ['operations'], formats: ['human', 'json'] },
  ping: { argv: ['ping'], formats: ['human', 'json'] },
};

const BEGINS: Readonly<Record<string, RegExp>> = {
  json: /^\{/,
  ndjson: /^\{"@level":"info"/,
  html: /^<!doctype html>/i,
  junit: /^<\?xml /,
  sarif: /^\{/,
  prometheus: /^# HELP /,
};

const every = Object.entries(COMMANDS).flatMap(([name, { argv, formats }]) =>
  formats.map((format) => ({ name, argv, format })),
);

describe('a format', () => {
  it.each(every)('$format of $name is written as it is printed', async ({ argv, format }) => {
    const at = argv[0] === 'apply' ? fullDesk() : looked;
    rmSync(join(at.cwd, 'result.txt'), { force: true });
    const { out, err } = await at.run(...argv, '--local', '--format', format, '--write', `${format}=result.txt`);
    const file = join(at.cwd, 'result.txt');
    expect(existsSync(file), err).toBe(true);
    expect(readFileSync(file, 'utf8')).toBe(out);
    expect(out).toMatch(BEGINS[format] ?? /\S/);
    expect(out.endsWith('\n')).toBe(true);
  });

  it('several are written at once', async () => {
    const at = looked;
    const formats = COMMANDS['drift']?.formats ?? [];
    await at.run('drift', '--local', ...formats.flatMap((format) => ['--write', `${format}=drift.${format}`]));
    for (const format of formats) expect(readFileSync(join(at.cwd, `drift.${format}`), 'utf8')).not.toBe('');
  });
});

describe('a file for people', () => {
  it.each(['plan', 'drift', 'list'])(
    'of %s is not coloured, whatever the terminal, and no wider than 80 columns but for tables, which have a line a row',
    async (name) => {
      const at = looked;
      const { out } = await at.runWith([name, '--local', '--write', 'human=result.txt'], (io) => ({
        stdout: { ...io.stdout, isTerminal: true, columns: 120 },
      }));
      expect(out).toContain('\u001b[');
      const file = readFileSync(join(at.cwd, 'result.txt'), 'utf8');
      expect(file).not.toContain('\u001b[');
      const isWide = file.split('\n').some((line) => columnsOf(line) > 80);
      expect(isWide).toBe(name === 'list');
    },
  );
});

describe('--log-file', () => {
  const logged = (name: string): string => readFileSync(join(looked.cwd, name), 'utf8');

  it.each(['operations', 'ping', 'validate'])(
    'is there after a quiet %s that had nothing to log, for whoever collects it',
    async (name) => {
      await looked.run(name, '--local', '-q', '--log-file', `${name}.log`);
      expect(logged(`${name}.log`)).toBe('');
    },
  );

  it('keeps what stands in it', async () => {
    writeFileSync(join(looked.cwd, 'kept.log'), '{"before":1}\n');
    await looked.run('ping', '--local', '--log-file', 'kept.log');
    expect(logged('kept.log')).toBe('{"before":1}\n');
  });
});

it.each(Object.entries(COMMANDS).filter(([name]) => !['operations', 'ping'].includes(name)))(
  '%s writes nothing over its own input',
  async (_, { argv }) => {
    const at = fullDesk();
    const before = readFileSync(join(at.cwd, 'trueup.yaml'), 'utf8');
    const { code, err } = await at.run(...argv, '--local', '--write', 'human=trueup.yaml');
    expect(code).toBe(1);
    expect(err).toContain('names an input file');
    expect(readFileSync(join(at.cwd, 'trueup.yaml'), 'utf8')).toBe(before);
  },
);

describe('a folder of files', () => {
  it.each(['--write=human=infra/new.yaml', '--out=infra/new.yml', '--log-file=infra/log.yaml'])(
    'is no place for outputs that it would be read from: %s',
    async (flag) => {
      const at = fullDesk();
      at.write('infra/trueup.yaml', 'version: 1\n');
      const { code, err } = await at.run('plan', '--local', '-f', 'infra', flag);
      expect(code).toBe(1);
      expect(err).toContain('names an input file');
    },
  );
});

describe('show', () => {
  const SAVED: Readonly<Record<string, readonly string[]>> = {
    plan: ['plan'],
    'compared plan': ['plan', '--compare-with', 'base'],
    drift: ['drift'],
    result: ['apply', '--auto-approve'],
  };
  const FORMATS = ['human', 'markdown', 'html', 'json'];
  it.each(Object.entries(SAVED))('a %s in each format', async (_, argv) => {
    const at = argv[0] === 'apply' ? fullDesk() : looked;
    await at.run(...argv, '--local', ...FORMATS.flatMap((format) => ['--write', `${format}=direct.${format}`]));
    for (const format of FORMATS) {
      const direct = readFileSync(join(at.cwd, `direct.${format}`), 'utf8');
      const words = ['show', 'direct.json', '--format', format, '--write', `${format}=shown.txt`];
      const { code, out, err } = await at.run(...words);
      expect(code, err).toBe(0);
      expect(readFileSync(join(at.cwd, 'shown.txt'), 'utf8')).toBe(out);
      // A saved file has lost the texts of the files, and a result its events.
      if (format === 'json') expect(JSON.parse(out)).toEqual(JSON.parse(direct));
      else expect(wordsOf(out)).toEqual(expect.arrayContaining(wordsOf(direct).slice(0, 20)));
    }
  });

  it.each(['junit', 'sarif', 'prometheus'])('a drift report as %s, with its findings and times', async (format) => {
    const at = looked;
    const direct = await at.run('drift', '--local', '--format', format, '--write', 'json=saved.json');
    const { code, out, err } = await at.run('show', 'saved.json', '--format', format);
    expect(code, err).toBe(0);
    expect(out).toMatch(BEGINS[format] ?? /\S/);
    // The report knows where a finding begins, and not where it ends.
    const noEnd = /"end(Line|Column)"/;
    const linesOf = (text: string): string[] =>
      text
        .split('\n')
        .map(plainLine)
        .filter((line) => !noEnd.test(line));
    expect(linesOf(out)).toEqual(linesOf(direct.out));
  });

  it.each([
    ['plan', 'sarif'],
    ['plan', 'junit'],
    ['apply', 'prometheus'],
    ['apply', 'sarif'],
  ])('what %s saves has no form for findings such as %s, and nothing is written', async (command, format) => {
    const at = command === 'apply' ? fullDesk() : looked;
    await at.run(command, ...(command === 'apply' ? ['--auto-approve'] : []), '--local', '--write', 'json=saved.json');
    for (const flags of [
      ['--write', `${format}=findings.txt`],
      ['--format', format],
    ]) {
      const { code, out, err } = await at.run('show', 'saved.json', ...flags);
      expect([code, out]).toEqual([1, '']);
      expect(err).toContain(`saved.json cannot be shown as ${format}`);
    }
    expect(existsSync(join(at.cwd, 'findings.txt'))).toBe(false);
  });

  it.each([
    ['no JSON', '{"trueup":', /is not JSON/],
    ['another JSON', '{"a":1}', /is not a plan, drift report or result/],
    ['a plan that was edited', null, /plan\.json: the plan was changed later/],
  ])('refuses %s', async (_, text, why) => {
    const at = fullDesk();
    await at.run('plan', '--local', '-o', 'plan.json');
    const path = join(at.cwd, 'plan.json');
    writeFileSync(path, text ?? readFileSync(path, 'utf8').replaceAll('shop/preview', 'shop/preview2'));
    const { code, out, err } = await at.run('show', 'plan.json');
    expect([code, out]).toEqual([1, '']);
    expect(err).toMatch(why);
  });
});

/** A line of a format without what depends on the line after it. */
function plainLine(line: string): string {
  return line.trim().replace(/,$/, '');
}

function wordsOf(text: string): string[] {
  return text.match(/[a-z_]+\/[a-z-]+/g) ?? [];
}

describe('list --format env', () => {
  it('can be sourced by a shell', async () => {
    const at = fullDesk();
    await at.run('list', '--local', '--write', 'env=hosts.env');
    const script = 'set -a; . ./hosts.env; printenv SHOP_PRIMARY_ID SHOP_PRIMARY_BRANCH_ID SHOP_PRIMARY_HOST';
    const out = execFileSync('sh', ['-ec', script], { cwd: at.cwd, encoding: 'utf8' });
    expect(out.split('\n').slice(0, 2)).toEqual(['ep-cool-darkness-123456', 'br-wispy-meadow-118737']);
    expect(out).toContain('ep-cool-darkness-123456.');
  });
});

describe('operations --follow', () => {
  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)('ends on %s with what it has printed', async (signal, code) => {
    const at = fullDesk();
    const run = await at.runWith(['operations', '--follow', '--local', '--poll-interval', '1s'], (io) => {
      void io.clock.sleep(30_000).then(() => io.signal(signal));
    });
    expect([run.code, run.err]).toEqual([code, '']);
    expect(run.out.match(/start_compute/g)).toHaveLength(1);
  });
});

describe('a file that exists', () => {
  it('is replaced as a whole, and a folder is not', async () => {
    const at = fullDesk();
    at.write('plan.md', 'old '.repeat(100_000));
    await at.run('plan', '--local', '--write', 'markdown=plan.md');
    expect(readFileSync(join(at.cwd, 'plan.md'), 'utf8')).toMatch(/^<!-- trueup plan -->/);
    mkdirSync(join(at.cwd, 'folder'));
    const { code, err } = await at.run('plan', '--local', '--write', 'markdown=folder');
    expect(code).toBe(1);
    expect(err).toContain('not a regular file');
  });
});
