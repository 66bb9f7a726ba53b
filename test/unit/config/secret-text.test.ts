// A text is searched for credentials in two steps, the quick one first: it must never let one pass that masking would find.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { looksSecret, maskSecrets } from '../../../src/config/yaml/show.ts';
import { runs } from '../../support/property-runs.ts';

const part = fc.oneof(
  fc.constantFrom(
    'napi_',
    'NAPI_',
    'Bearer ',
    'bEARER\t',
    'bearer',
    '-----BEGIN RSA PRIVATE KEY-----',
    'x: ',
    '\n',
    ' ',
    '_',
  ),
  fc.stringMatching(/^[a-f0-9]{60,66}$/),
  fc.stringMatching(/^[a-z0-9]{14,66}$/),
  fc.stringMatching(/^[A-Za-z0-9._-]{0,20}$/),
);

it('says the same as masking', () => {
  let found = 0;
  fc.assert(
    fc.property(fc.array(part, { maxLength: 5 }), (parts) => {
      const text = `a text, ${parts.join('')}, and some more`;
      const isMasked = maskSecrets(text) !== text;
      if (isMasked) found++;
      expect(looksSecret(text), text).toBe(isMasked);
    }),
    runs(500),
  );
  expect(found).toBeGreaterThan(0);
});
