// Mistakes on the command line and around it: each is named, with what to type instead, and nothing is sent.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fakeIo, testClock, type FakeIo } from '../../support/fake-io.ts';
import { main } from '../../support/loaded-program.ts';

const NOWHERE = 'http://127.0.0.1:9/api/v2';
let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'trueup-mistakes-'));
  writeFileSync(join(folder, 'trueup.yaml'), 'version: 1\n');
});
afterAll(() => rmSync(folder, { recursive: true }));

async function saidBy(argv: readonly string[], options: Partial<Parameters<typeof fakeIo>[0]> = {}): Promise<string> {
  const io: FakeIo = fakeIo({ cwd: folder, ...options });
  expect(await main(argv, io)).toBe(1);
  return io.err();
}

describe('an API key that cannot be one', () => {
  const flaws: readonly (readonly [what: string, text: string | Uint8Array, says: RegExp])[] = [
    ['a byte-order mark', '\ufeffs3cret\n', /begins with a byte-order mark\n {2}Save .* UTF-8 without/],
    ['UTF-16', Buffer.from('\ufeffs3cret\n', 'utf16le'), /is UTF-16 text\n {2}Save .* UTF-8/],
    ['quotes', '"s3cret"\n', /is in quotes\n {2}Remove the quotes/],
    ['single quotes', "'s3cret'", /is in quotes/],
    ['NAME=key', 'TRUEUP_API_KEY=s3cret\n', /is written as NAME=KEY\n {2}Keep only the part after the =/],
    ['export NAME=key', 'export NEON_API_KEY="s3cret"\n', /is written as NAME=KEY/],
    ['a header', 'Bearer s3cret', /begins with "Bearer"\n {2}Remove the word Bearer and keep only the key/],
    ['two lines', 's3cret\ns3cret\n', /has a line break\n {2}Keep the key alone, on one line/],
    ['a blank', 's3cret ', /has a space/],
    ['other characters', 's3cr\u00e9t', /has characters that no key has/],
    ['nothing', '\n', /is empty/],
  ];
  it.each(flaws)('%s, in a file', async (_, content, says) => {
    writeFileSync(join(folder, 'key'), content, { mode: 0o600 });
    const said = await saidBy(['ping', '--api-key-file', 'key', '--base-url', NOWHERE]);
    expect(said).toMatch(says);
    expect(said).toContain('the API key in key ');
    expect(said).not.toMatch(/s3cr/);
  });

  it('the same in the environment, and never shown', async () => {
    for (const [, content, says] of flaws.filter(([, text]) => typeof text === 'string')) {
      const said = await saidBy(['ping', '--base-url', NOWHERE], { env: { TRUEUP_API_KEY: String(content) } });
      expect(said).toMatch(says);
      expect(said).not.toMatch(/s3cr/);
    }
  });
});

it.each([
  ['remove:shop/x', /--allow remove:shop\/x: there is no consent type "remove"\n {2}Types: .*delete.*drop/],
  ['delte:shop/x', /no consent type "delte"/],
  ['delete', /--allow delete: the address is missing\n {2}Write TYPE:ADDRESS, such as delete:shop\/legacy/],
  ['delete:', /the address is missing/],
  ['drop:*', /drop:\* covers too much\n {2}.*shop\/branches\/pr-\*/],
])('--allow: %s', async (word, says) => {
  expect(await saidBy(['plan', '--local', '--allow', word])).toMatch(says);
});

describe('where apply cannot ask', () => {
  it.each<[string, Partial<FakeIo>, Readonly<Record<string, string>>, string]>([
    ['stdin', { stdinIsTerminal: false, canAsk: false }, {}, 'stdin is not a terminal'],
    ['stderr', { stdinIsTerminal: true, canAsk: false }, {}, 'stderr is not a terminal'],
    ['CI', { stdinIsTerminal: true, canAsk: true }, { CI: '1' }, '$CI is set'],
  ])('the reason and the other ways are named: %s', async (_, part, env, why) => {
    const io = { ...fakeIo({ cwd: folder, env }), ...part };
    expect(await main(['apply', '--local'], io)).toBe(1);
    expect(io.err()).toContain(`error: cannot ask for approval: ${why}\n`);
    expect(io.err()).toMatch(/trueup apply plan\.json.*--expect-hash.*--auto-approve/);
  });

  it('a word that is no saved plan is named', async () => {
    writeFileSync(join(folder, 'plan.txt'), '{}');
    const said = await saidBy(['apply', '--local', 'trueup.yaml']);
    expect(said).toContain('trueup.yaml is a file of desired state: a saved plan ends in .json.');
  });
});

it.each<[string, string | Uint8Array, RegExp]>([
  [
    'in UTF-16',
    Buffer.from('\ufeff{}', 'utf16le'),
    /plan\.json is UTF-16 text\n {2}Save the file as UTF-8, as --out and --write do/,
  ],
  ['that is cut off', '{"format_version":', /plan\.json is not JSON/],
  ['with a key that is there twice', '{"a":1,"a":2}', /cannot read plan\.json: an object has the same key twice/],
  ['with a byte-order mark', '\ufeff{}', /^(?!.*not JSON)[^]*plan/],
])('a plan file: %s', async (_, content, says) => {
  writeFileSync(join(folder, 'plan.json'), content);
  expect(await saidBy(['show', 'plan.json'])).toMatch(says);
});

it('the question about a deletion says what to type, and "yes" is not that', async () => {
  const text = 'version: 1\nprojects: { shop: { branches: { dev: { id: br-old-river-991122, state: absent } } } }\n';
  writeFileSync(join(folder, 'drop.yaml'), text);
  const clock = testClock();
  const env = { TRUEUP_STATE_DIR: join(folder, 'state') };
  const io = fakeIo({ cwd: folder, clock, env, answers: ['yes'] });
  expect(await clock.run(main(['apply', '--local', '-f', 'drop.yaml'], io))).toBe(5);
  expect(io.err()).toContain('Type shop/branches/dev to delete it, or nothing to keep it: yes\n');
  expect(io.err()).toContain('Kept shop/branches/dev: "yes" is not its address\n');
});
