// Words on the command line that cannot be meant: exit 1, the exact word named, help at hand, and nothing sent.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { bin, cleanUp, newFolder, run } from './support/program.ts';
import { play } from '../support/play.ts';
import { silentServer } from './support/silent-server.ts';

afterAll(cleanUp);
const silent = await silentServer();
const folder = newFolder('usage');

const APPLY = ['apply', '--auto-approve'];
const usage: readonly (readonly [args: readonly string[], says: RegExp])[] = [
  [[], /^There is no trueup\.yaml here yet\. To begin:\n(.*\n){3}$/],
  [['plann'], /unknown command 'plann'[\s\S]*plan\?/],
  [['\u001B[31mplan'], /unknown command '\\u\{1b\}\[31mplan'/],
  [['plan', '--format', '\u001B]8;;x\u0007'], /argument '\\u\{1b\}\]8;;x\\u\{7\}' is invalid/],
  [['--auto-approve'], /no flag --auto-approve here\n {2}`trueup apply` has --auto-approve/],
  [['plan', '--tagret', 'a/b'], /unknown option '--tagret'[\s\S]*--target\?/],
  [['plan', '--target'], /'--target <address>' argument missing/],
  [['plan', '--timeout', '1s', '--timeout', '2s'], /--timeout.*\n?.*twice/],
  [['plan', '--timeout', '0'], /--timeout.*invalid/],
  [['plan', '--timeout', '-1'], /--timeout/],
  [['plan', '--timeout', 'abc'], /--timeout.*'abc' is invalid/],
  [['plan', '--timeout', '1e9'], /--timeout.*'1e9' is invalid/],
  [['plan', '--requests-per-minute', '0'], /--requests-per-minute.*invalid/],
  [[...APPLY, '--parallelism', '0'], /--parallelism.*1 to 256/],
  [[...APPLY, '--parallelism', '1000'], /--parallelism.*1 to 256/],
  [[...APPLY, '--parallelism', '2.5'], /--parallelism.*1 to 256/],
  [[...APPLY, '--poll-interval', '0s'], /--poll-interval.*invalid/],
  [[...APPLY, '--step-timeout', '8d'], /--step-timeout.*invalid/],
  [[...APPLY, '--allow', 'delete'], /--allow delete: the address is missing/],
  [[...APPLY, '--allow', 'destroy:shop/x'], /no consent type "destroy"/],
  [['apply', '--auto-approve=maybe'], /--auto-approve.*maybe/],
  [['apply', '--expect-hash', 'abc'], /--expect-hash takes sha256:/],
  [['apply', 'plan.json', '--target', 'a/b'], /--target cannot be given with it/],
  [['plan', '--format', 'yaml'], /--format <format>' argument 'yaml' is invalid/],
  [['plan', '-q', '-v'], /-q and -v exclude each other/],
  [['plan', '--expires-in', 'soon'], /--expires-in takes a duration/],
  [['plan', '--var', 'NAME'], /--var takes NAME=VALUE/],
  [['plan', '--write', 'json'], /--write takes FORMAT=FILE/],
  [['plan', '--sink', 'vault'], /--sink takes NAME=PROGRAM/],
  [['plan', 'a.yaml', 'b.yaml'], /a\.yaml does not exist[^]*b\.yaml does not exist/],
  [['plan'], /trueup\.yaml/],
  [['plan', '-f', 'missing.yaml'], /missing\.yaml/],
  [['schema', 'plans'], /plans/],
  [['show', 'missing.json'], /missing\.json/],
  [['plan', '-out=p.json'], /-out: .*two dashes\n {2}Write `--out=p\.json`/],
  [['plan', '-out', 'p.json'], /Write `--out <plan\.json>`/],
  [['apply', '-auto-approve'], /Write `--auto-approve/],
  [['plan', '-no-color'], /Write `--no-color`/],
  [['plan', '-json'], /Write `--format json`/],
  [['plan', '--json'], /Write `--format json`/],
  [['plan', '-target=shop/primary'], /Write `--target=shop\/primary`/],
  [['plan', '-var', 'a=b'], /Write `--var <name=value>`/],
  [['plan', '-var=a=s3cret'], /^(?![\s\S]*s3cret)[\s\S]*Write `--var <name=value>`/],
  [['plan', '-var-file=x.json'], /Write `--var-file=x\.json`/],
  [['plan', '-detailed-exitcode'], /Write `--detailed-exitcode`/],
  [['plan', '-file=x.yaml'], /Write `--file=x\.yaml`/],
  [['plan', '-fx.yaml'], /`-f x\.yaml`/],
  [['plan', '-quiet'], /Write `--quiet`/],
  [['plan', '-tagret=a/b'], /Did you mean --target\?/],
  [['plan', '-refresh=false'], /Every plan reads/],
  [['-no-color', 'plan'], /Write `--no-color`/],
  [['plan', '-help'], /Did you mean --help\?/],
  [['apply', '-y'], /no flag -y here\n {2}Write `--auto-approve`/],
  [['destroy'], /no command "destroy" here\n.*state: absent/],
  [['--no-color', 'destroy', '-auto-approve'], /state: absent/],
  [['fmt'], /trueup validate/],
  [['state', 'list'], /trueup list/],
  [['output', '-json'], /trueup list --format env/],
  [['refresh'], /trueup drift/],
  [['version'], /trueup --version/],
  [['get', 'computes'], /trueup list/],
  [['describe', 'shop/primary'], /trueup list ADDRESS/],
  [['status'], /trueup drift/],
  [['diff'], /trueup plan/],
];

describe('refused', () => {
  it.each(usage.map(([args, says]) => ({ line: `trueup ${args.join(' ')}`, args, says })))(
    '$line',
    async ({ args, says }) => {
      const { code, out, err } = await play(args, {
        cwd: folder,
        env: { TRUEUP_API_KEY: 'canary-key', TRUEUP_BASE_URL: silent.baseUrl },
      });
      expect(err).toMatch(says);
      expect(err).not.toMatch(/\n\s+at .+:\d+/);
      expect(out).toBe('');
      expect(code).toBe(1);
    },
  );
});

describe('afterwards', () => {
  it('nothing of the above was sent, and nothing was written', async () => {
    expect(await silent.close()).toBe(0);
    expect(readdirSync(folder)).toEqual([]);
  });

  it('tells the version', async () => {
    const { version } = JSON.parse(readFileSync(join(bin, '../../../package.json'), 'utf8')) as { version: string };
    expect(await run(['--version'], { cwd: folder })).toMatchObject({ code: 0, out: `${version}\n`, err: '' });
  });
});

describe.concurrent('surroundings', () => {
  it('of other languages, time zones and terminals give the same text', async () => {
    const surroundings: readonly Readonly<Record<string, string>>[] = [
      {},
      { LANG: 'tr_TR.UTF-8', LC_ALL: 'tr_TR.UTF-8', TZ: 'Asia/Kathmandu' },
      { NO_COLOR: '1', TERM: 'dumb', COLUMNS: '0' },
    ];
    const texts = await Promise.all(surroundings.map(async (env) => run(['schema'], { cwd: folder, env })));
    expect(new Set(texts.map(({ out }) => out)).size).toBe(1);
    expect(texts[0]?.code).toBe(0);
  });
});
