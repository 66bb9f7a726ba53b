// `trueup import --from-terraform`: states of every form and origin, and nothing of them but names in what is printed or written.
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { runs } from '../../support/property-runs.ts';
import { shopDesk } from './desk.ts';

const SHOP = 'spring-example-302709';
const MAIN = 'br-wispy-meadow-118737';

function resource(type: string, name: string, id: unknown, more: object = {}): object {
  return { mode: 'managed', type, name, instances: [{ attributes: { id, password: 'canary' } }], ...more };
}

function stateOf(...resources: readonly object[]): string {
  return JSON.stringify({ version: 4, terraform_version: '1.11.4', resources });
}

const PRIMARY = 'ep-cool-darkness-123456';
const READER = 'ep-quiet-hill-000001';
const IMPORT = ['import', '--local', '--project', '*', '--from-terraform'];

describe('labels', () => {
  const cases: readonly (readonly [name: string, resources: readonly object[], labels: readonly string[]])[] = [
    ['the name of the resource', [resource('neon_endpoint', 'writer', PRIMARY)], ['writer', 'replica-1']],
    [
      'a key of for_each',
      [resource('neon_endpoint', 'this', '', { instances: [{ index_key: 'e u', attributes: { id: READER } }] })],
      ['primary', 'e-u'],
    ],
    [
      'the only one of a count: no number',
      [resource('neon_endpoint', 'reader', '', { instances: [{ index_key: 0, attributes: { id: READER } }] })],
      ['primary', 'reader'],
    ],
    [
      'one of a count',
      [
        resource('neon_endpoint', 'node', '', {
          instances: [
            { index_key: 0, attributes: { id: PRIMARY } },
            { index_key: 1, attributes: { id: READER } },
          ],
        }),
      ],
      ['node-0', 'node-1'],
    ],
    [
      'the module, where the name says nothing',
      [resource('neon_endpoint', 'this', READER, { module: 'module.readers["eu"]' })],
      ['primary', 'readers-eu'],
    ],
    [
      'the module, where the name is not enough',
      [
        resource('neon_endpoint', 'main', PRIMARY, { module: 'module.writer' }),
        resource('neon_endpoint', 'main', READER, { module: 'module.reader' }),
      ],
      ['writer-main', 'reader-main'],
    ],
    ['a name that another would have taken', [resource('neon_endpoint', 'primary', READER)], ['primary-2', 'primary']],
    [
      'a state that came up from an older form',
      [resource('neon_endpoint', 'writer', '', { instances: [{ attributes_flat: { id: PRIMARY } }] })],
      ['writer', 'replica-1'],
    ],
    [
      'nothing of what is only read, gone, or somebody else’s',
      [
        resource('neon_endpoint', 'data', PRIMARY, { mode: 'data' }),
        resource('aws_thing', 'other', PRIMARY),
        resource('neon_endpoint', 'old', '', { instances: [{ deposed: 'ab12', attributes: { id: READER } }] }),
      ],
      ['primary', 'replica-1'],
    ],
    [
      'nothing that looks like a credential',
      [resource('neon_endpoint', `napi_${'a1'.repeat(30)}`, PRIMARY)],
      [`compute-${PRIMARY}`, 'replica-1'],
    ],
  ];
  it.each(cases)('%s', async (_, resources, labels) => {
    const { run, write } = shopDesk();
    write('terraform.tfstate', stateOf(...resources));
    const { code, out, err } = await run([...IMPORT, 'terraform.tfstate']);
    expect(code, err).toBe(0);
    expect([...out.matchAll(/^ {6}(\S+):$/gm)].map(([, label]) => label)).toEqual(labels);
  });
});

describe('a state', () => {
  it('may come from standard input, so that its secrets are never in a file', async () => {
    const { run, cwd } = shopDesk();
    const { code, out } = await run([...IMPORT, '-'], stateOf(resource('neon_endpoint', 'writer', PRIMARY)));
    expect(code).toBe(0);
    expect(out).toContain('writer:');
    expect(readdirSync(cwd)).toEqual(['.local']);
  });

  it('of a Windows shell is read: UTF-16, or with a byte order mark', async () => {
    const { run, cwd } = shopDesk();
    const text = `\ufeff${stateOf(resource('neon_endpoint', 'writer', PRIMARY))}`;
    for (const encoding of ['utf16le', 'utf8'] as const) {
      writeFileSync(join(cwd, 's.tfstate'), Buffer.from(text, encoding));
      expect((await run([...IMPORT, 's.tfstate'])).out).toContain('writer:');
    }
  });

  const refused: readonly (readonly [name: string, text: string, says: string])[] = [
    ['that is no JSON', 'canary', 's.tfstate is not JSON'],
    ['that is cut off', '{"version":4,"x":"canary', 's.tfstate is not JSON'],
    ['that is empty', '', 's.tfstate is not JSON'],
    ['that is deep beyond reason', '['.repeat(200_000), 's.tfstate is not JSON'],
    ['that is a list', '["canary"]', 's.tfstate is not a Terraform state'],
    ['that says no version', '{"canary":1}', 's.tfstate is not a Terraform state'],
    ['of Terraform 0.11', '{"version":3,"modules":[]}', 'terraform state pull'],
    [
      'of a version to come',
      '{"version":5,"resources":[]}',
      'A newer version of trueup may be able to read this state',
    ],
    ['of a version with a point', '{"version":4.5,"resources":[]}', 'trueup reads format 4'],
    ['of no resources', '{"version":4}', 'lists no resources'],
    ['that show printed', '{"format_version":"1.0","values":{"root_module":{}}}', 'output of terraform show'],
    ['that is encrypted', '{"meta":{},"encrypted_data":"canary","encryption_version":"v0"}', 'tofu state pull'],
    ['that would change objects', '{"version":4,"resources":[],"__proto__":{}}', 's.tfstate is not JSON'],
  ];
  it.each(refused)('%s is refused, and nothing is sent', async (_, text, says) => {
    const { run, write } = shopDesk();
    write('s.tfstate', text);
    const { code, out, err } = await run([...IMPORT, 's.tfstate']);
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err).toContain(says);
    expect(err).not.toContain('canary');
  });
});

it('any state is read or refused in our words, and a file of it plans to nothing', async () => {
  const word = fc.oneof(
    fc.constantFrom('this', 'primary', 'br-x', '__proto__', 'api_keys', '..', '', 'ß', '\u202e'),
    fc.string({ unit: 'grapheme', maxLength: 70 }),
  );
  const key = fc.option(fc.oneof(word, fc.nat(9)), { nil: undefined });
  const entry = fc.record({
    mode: fc.constant('managed'),
    type: fc.constantFrom('neon_endpoint', 'neon_project', 'neon_branch', 'neon_api_key'),
    name: word,
    module: fc.option(
      word.map((name) => `module.${name}`),
      { nil: undefined },
    ),
    instances: fc.array(
      fc.record({
        index_key: key,
        attributes: fc.record({
          id: fc.constantFrom(PRIMARY, READER, SHOP, MAIN, '165001', 'ep-gone-1'),
          branch: fc.constantFrom([], [{ id: MAIN, name: 'main' }], 7),
        }),
      }),
      { maxLength: 3 },
    ),
  });
  const { run, write } = shopDesk();
  await fc.assert(
    fc.asyncProperty(fc.array(entry, { maxLength: 5 }), async (resources) => {
      write('s.tfstate', JSON.stringify({ version: 4, resources }));
      const { code, out, err } = await run(['import', '--local', '--from-terraform', 's.tfstate']);
      expect(code, err).toBe(0);
      write('all.yaml', out);
      const plan = await run(['plan', '--local', '-f', 'all.yaml', '--detailed-exitcode']);
      expect(plan.code, `${out}${plan.err}`).toBe(0);
      for (const id of [PRIMARY, READER, SHOP]) expect(out).toContain(id);
    }),
    runs(40),
  );
});
