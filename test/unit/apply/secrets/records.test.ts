// What counts as the record of a secret, and what is said of every other text in its place.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { SinkState } from '../../../../src/apply/sinks/sink.ts';
import { sinkIn, workFolder } from './world.ts';

async function checkedText(text: string | Uint8Array): Promise<SinkState> {
  const workDir = workFolder();
  const folder = join(workDir, 'state/secrets');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  writeFileSync(join(folder, 'ci.json'), text, { mode: 0o600 });
  return sinkIn(workDir).check();
}

describe('a record', () => {
  it.each([
    ['with an id in digits', '{"name": "ci", "id": 41, "key": "napi_x"}', '41'],
    ['with an id beyond 2^53', '{"name": "ci", "id": 9007199254740993, "key": "napi_x"}', '9007199254740993'],
    ['with an id in text', '{"name": "ci", "id": "41", "key": "napi_x"}', '41'],
    ['with more than we wrote', '{"name": "ci", "id": 41, "key": "napi_x", "note": [1]}', '41'],
    ['with blanks around it', '\n {"name": "ci", "id": 41, "key": "napi_x"} \n', '41'],
  ])('%s is told by its id', async (_what, text, id) => {
    expect(await checkedText(text)).toEqual({
      state: 'stored',
      holds: { id, name: 'ci' },
      reason: null,
      isOurs: false,
    });
  });

  it.each<[string, string | Uint8Array]>([
    ['no JSON', 'napi_x'],
    ['a list', '["ci", 41, "napi_x"]'],
    ['nothing', 'null'],
    ['without a name', '{"id": 41, "key": "napi_x"}'],
    ['with a name that is none', '{"name": 1, "id": 41, "key": "napi_x"}'],
    ['without an id', '{"name": "ci", "key": "napi_x"}'],
    ['with an id that is none', '{"name": "ci", "id": true, "key": "napi_x"}'],
    ['without a value', '{"name": "ci", "id": 41}'],
    ['with an empty value', '{"name": "ci", "id": 41, "key": ""}'],
    ['with a value that is no text', '{"name": "ci", "id": 41, "key": 7}'],
    ['of broken characters', Buffer.from([...Buffer.from('{"name": "ci", "id": 41, "key": "'), 0xff, 0x22, 0x7d])],
  ])('is not what is %s', async (_what, text) => {
    expect(await checkedText(text)).toEqual({
      state: 'broken',
      holds: null,
      reason: 'the file there is not a secret record of trueup; move it away or choose another name',
    });
  });
});
