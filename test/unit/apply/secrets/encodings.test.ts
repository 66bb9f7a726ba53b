// Every form of a secret is known: what searches rest on.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { betrays, encodingsOf } from '../../../../src/apply/sinks/encodings.ts';
import { NEW } from './world.ts';

const around = fc.string({ maxLength: 7, unit: 'grapheme-composite' });
const secret = fc.string({ minLength: 16, maxLength: 80, unit: 'grapheme-ascii' });

describe('the encodings of a secret', () => {
  const encoders: Record<string, (text: string) => string> = {
    raw: (text) => text,
    base64: (text) => Buffer.from(text).toString('base64'),
    base64url: (text) => Buffer.from(text).toString('base64url'),
    hex: (text) => Buffer.from(text).toString('hex'),
    HEX: (text) => Buffer.from(text).toString('hex').toUpperCase(),
    URL: encodeURIComponent,
    JSON: JSON.stringify,
  };
  for (const [name, encode] of Object.entries(encoders))
    it(`are found in a ${name} text, wherever the secret stands in it`, () => {
      fc.assert(
        fc.property(around, secret, around, (before, value, after) => {
          const text = encode(`${before}${value}${after}`);
          return encodingsOf(value).some((form) => text.includes(form)) && betrays(text, value);
        }),
      );
    });

  it('are not found where there is none', () => {
    expect(betrays('key 42 was stored in file:ci-deploy.json at 2026-01-01T00:00:00Z', NEW.reveal())).toBe(false);
  });

  it.each(['a part', 'a part reversed'])('are found by %s of eight characters', (what) => {
    const part = NEW.reveal().slice(9, 17);
    const text = what === 'a part' ? part : Array.from(part).reverse().join('');
    expect(betrays(`>${text}<`, NEW.reveal())).toBe(true);
    expect(betrays(`>${text.slice(1)}<`, NEW.reveal())).toBe(false);
  });
});

describe('of what is short', () => {
  it('forms come longest first, each once, and none of which a log is full', () => {
    expect(encodingsOf('k%')).toEqual(
      ['ayU=', '6b25', '6B25', 'k%25'].sort((a, b) => b.length - a.length || (a < b ? -1 : 1)),
    );
    const forms = encodingsOf(NEW.reveal());
    expect([...forms].sort((a, b) => b.length - a.length || (a < b ? -1 : 1))).toEqual(forms);
    expect(new Set(forms).size).toBe(forms.length);
    expect(encodingsOf('abcd')).toContain('abcd');
    expect(encodingsOf('abc')).not.toContain('abc');
  });

  it.each([
    ['the key is hunter', 'hunter', true],
    ['the key is retnuh', 'hunter', true],
    ['the key is hunter12', 'hunter12', true],
    ['the key is unter12', 'hunter12', false],
    ['the key is another', 'hunter', false],
    ['anything at all', '', false],
    ['>secret-9<', 'a-long-secret-9', true],
    ['>a-long-s<', 'a-long-secret-9', true],
  ])('%j betrays %j: %s', (text, value, expected) => {
    expect(betrays(text, value)).toBe(expected);
  });
});
