// `trueup pin` on files that people really write: only the ids are added, and nobody's change is lost.
import { chmodSync, lstatSync, mkdirSync, renameSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { replaceFiles } from '../../../src/cli/authoring/edited-files.ts';
import { fakeIo } from '../../support/fake-io.ts';
import { shopDesk } from './desk.ts';

const PRIMARY = 'ep-cool-darkness-123456';
const REPLICA = 'ep-quiet-hill-000001';

const BLOCK = [
  '# who: ops',
  'version: 1',
  'projects:',
  '  shop:',
  '    branches: {main: br-wispy-meadow-118737}',
  '    computes:',
  '        primary:\t# the one',
  '            branch:   main\t',
  '',
  '        # for the analysts',
  '        reports: { branch: "main",type: read_only }  # small',
  '',
].join('\n');

const layouts: readonly { readonly name: string; readonly text: string }[] = [
  { name: 'comments, tabs after values, an indentation of four', text: BLOCK },
  { name: 'CRLF', text: BLOCK.replaceAll('\n', '\r\n') },
  { name: 'a byte order mark', text: `\ufeff${BLOCK}` },
  { name: 'no final newline', text: BLOCK.trimEnd() },
  { name: 'blank lines and a comment at the end', text: `${BLOCK}\n\n# end\n# of it` },
  {
    name: 'all in flow style',
    text: `{version: 1, projects: {shop: {computes: {primary: {branch: br-wispy-meadow-118737},\n reports: {branch: br-wispy-meadow-118737, "type": read_only}}}}} # one line\n`,
  },
  {
    name: 'quoted keys, a document start, and folded text',
    text: `---\n"version": 1\n'projects':\n  "shop":\n    computes:\n      "primary":\n        'branch': >-\n          br-wispy-meadow-118737\n      reports:\n        branch: br-wispy-meadow-118737\n        type: read_only\n        lifecycle:\n          ignore:\n          - pooler_mode   # theirs\n\n`,
  },
  {
    name: 'merge keys',
    text: `version: 1\nprojects:\n  shop:\n    computes:\n      primary: &base\n        branch: br-wispy-meadow-118737\n      reports:\n        <<: *base\n        type: read_only\n`,
  },
];

describe('pin leaves every other byte as it was', () => {
  it.each(layouts)('$name', async ({ text }) => {
    const { run, read, write } = shopDesk();
    write('trueup.yaml', text);
    const first = await run(['pin', '--local']);
    expect(first).toMatchObject({ code: 0, err: '' });
    const pinned = read('trueup.yaml');
    expect(pinned).toContain(PRIMARY);
    expect(pinned).toContain(REPLICA);
    const added = new RegExp(`(?:(?:\\r\\n|\\n) +|, )id: (?:${PRIMARY}|${REPLICA})`, 'g');
    expect(pinned.match(added)).toHaveLength(2);
    expect(pinned.replace(added, '')).toBe(text);
    const second = await run(['pin', '--local']);
    expect(second.code).toBe(0);
    expect(read('trueup.yaml')).toBe(pinned);
  });
});

describe('the file on the disk', () => {
  it('keeps its mode, and a link stays a link', async () => {
    const { cwd, run, write, read } = shopDesk();
    mkdirSync(join(cwd, 'infra'));
    write('infra/shop.yaml', BLOCK);
    chmodSync(join(cwd, 'infra/shop.yaml'), 0o666);
    symlinkSync('infra/shop.yaml', join(cwd, 'trueup.yaml'));
    expect(await run(['pin', '--local'])).toMatchObject({ code: 0 });
    expect(lstatSync(join(cwd, 'trueup.yaml')).isSymbolicLink()).toBe(true);
    expect(statSync(join(cwd, 'infra/shop.yaml')).mode & 0o777).toBe(0o666);
    expect(read('infra/shop.yaml')).toContain(PRIMARY);
  });

  it('is left alone, and all others too, when somebody changed it meanwhile', () => {
    const { cwd, write, read } = shopDesk();
    write('a.yaml', 'a');
    write('b.yaml', 'b, changed');
    const replacement = (name: string, before: string): Parameters<typeof replaceFiles>[0][number] => ({
      path: join(cwd, name),
      shown: name,
      before,
      after: 'new',
    });
    const io = fakeIo({ cwd });
    expect(() => replaceFiles([replacement('a.yaml', 'a'), replacement('b.yaml', 'b')], io)).toThrow(
      /b.yaml was changed/,
    );
    expect([read('a.yaml'), read('b.yaml')]).toEqual(['a', 'b, changed']);
    renameSync(join(cwd, 'b.yaml'), join(cwd, 'c.yaml'));
    expect(() => replaceFiles([replacement('b.yaml', 'b')], io)).toThrow(/cannot write b.yaml: .*ENOENT/);
  });

  it('is found in a folder, and in the file of several that declares the compute', async () => {
    const { cwd, run, read, write } = shopDesk();
    mkdirSync(join(cwd, 'infra'));
    write('infra/a.yaml', 'version: 1\nprojects: { shop: { id: spring-example-302709 } }\n');
    write('infra/b.yaml', BLOCK);
    const { code, out } = await run(['pin', '--local', '-f', 'infra', '--format', 'json']);
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({
      written: [
        { address: 'shop/primary', id: PRIMARY, before: null, file: 'infra/b.yaml', line: 9 },
        { address: 'shop/reports', id: REPLICA, file: 'infra/b.yaml', line: 12 },
      ],
      refused: [],
      stale: [],
    });
    expect(read('infra/a.yaml')).not.toContain(PRIMARY);
  });

  it('cannot be standard input, but ids read there go into another file', async () => {
    const { run, read } = shopDesk();
    const refused = await run(['pin', '--local', '-f', '-'], BLOCK);
    expect(refused).toMatchObject({ code: 1, err: expect.stringContaining('standard input') as string });
    const { code } = await run(['pin', '--local', '-f', '-', '--to', 'ids.yaml'], BLOCK);
    expect(code).toBe(0);
    expect(read('ids.yaml')).toContain(`primary: { id: ${PRIMARY} }`);
  });

  it('is not replaced by a file of ids that cannot be written', async () => {
    const { cwd, run, write } = shopDesk();
    write('trueup.yaml', BLOCK);
    writeFileSync(join(cwd, 'plain'), '');
    expect(await run(['pin', '--local', '--to', 'plain/ids.yaml'])).toMatchObject({ code: 1, out: '' });
    expect(await run(['pin', '--local', '--to', '.local'])).toMatchObject({ code: 1, out: '' });
  });
});

it('an entry that asks for a new compute is not pinned', async () => {
  const { run, read, write } = shopDesk();
  const text = BLOCK.replace('branch:   main', 'new: true\n            branch:   main');
  write('trueup.yaml', text);
  const { code, err } = await run(['pin', '--local', '--target', 'shop/primary']);
  expect(code).toBe(1);
  expect(err.replaceAll(/\s+/g, ' ')).toContain('new: true');
  expect(read('trueup.yaml')).toBe(text);
});
