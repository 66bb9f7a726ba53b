// Replies are parsed exactly, and a member named __proto__ is refused however its name is written.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseJson } from '../../../src/base/json.ts';
import { runs } from '../../support/property-runs.ts';

/** The name with some of its characters written by their codes. */
const spelled = fc.array(fc.constantFrom('plain', 'code', 'CODE'), { minLength: 9, maxLength: 9 }).map((ways) =>
  '__proto__'
    .split('')
    .map((character, at) => {
      const code = character.charCodeAt(0).toString(16).padStart(4, '0');
      if (ways[at] === 'plain') return character;
      return String.raw`\u${ways[at] === 'code' ? code : code.toUpperCase()}`;
    })
    .join(''),
);
const around = fc.constantFrom(
  (member: string) => `{${member}}`,
  (member: string) => `[[{"a":{${member}}}]]`,
  (member: string) => `{"id":12345678901234567890,"b":{${member}}}`,
);

describe('a member named __proto__', () => {
  it('is refused wherever it stands and however it is spelled', () => {
    fc.assert(
      fc.property(spelled, around, fc.constantFrom('1', 'null', '{"polluted":true}'), (name, place, value) => {
        expect(() => parseJson(place(`"${name}":${value}`))).toThrow(SyntaxError);
      }),
      runs(300),
    );
  });

  it('is no concern where it is a value, or only like that name', () => {
    const text = String.raw`{"a":"__proto__","b":"\u005f_proto__","_proto_":1,"__proto":2,"proto_":"\u00e9"}`;
    expect(parseJson(text)).toEqual(JSON.parse(text));
  });
});

describe('a key that stands twice in one object', () => {
  it.each([
    '{"endpoints":[{"id":"ep-a"}],"endpoints":[]}',
    '{"endpoints":[],"endpoints":[]}',
    String.raw`{"endpoints":[{"id":"ep-a"}],"end\u0070oints":[]}`,
    '[{"a":{"b":[1,{"c":1,"d":":","c":2}]}}]',
    '{"id":12345678901234567890,"id":12345678901234567891}',
    '{"id":12345678901234567890,"a":[{"x":1,"x":1}]}',
    String.raw`{"a\"":1,"a\u0022":2}`,
    '{"":1,"":2}',
  ])('is refused: %s', (text) => {
    expect(() => parseJson(text)).toThrow(SyntaxError);
  });

  it.each([
    String.raw`{"a\\":":","a":"\":\"","b":{"a":1},"c":[{"a":1},{"a":2}]}`,
    String.raw`{"::":"\\\"::","":{"":""}}`,
    '"a:b"',
    ' { "a" : 1 } ',
  ])('is not seen where there is none: %s', (text) => {
    expect(parseJson(text)).toEqual(JSON.parse(text));
  });

  it('is found in a long text in a time that grows with its length alone', () => {
    const quotes = String.raw`\\\"`.repeat(200_000);
    expect(parseJson(`{"a":"${quotes}"}`)).toHaveProperty('a');
    expect(() => parseJson(`{"a":"${quotes}","a":1}`)).toThrow(SyntaxError);
  });
});

it('gives what the platform gives, but for whole numbers that it would round', () => {
  fc.assert(
    fc.property(fc.json(), (text) => {
      fc.pre(!text.includes('__proto__') && !/\d{16}/.test(text));
      expect(parseJson(text)).toEqual(JSON.parse(text));
    }),
  );
  expect(parseJson('[12345678901234567890,9007199254740991,-9007199254740993]')).toEqual([
    '12345678901234567890',
    9007199254740991,
    '-9007199254740993',
  ]);
});
