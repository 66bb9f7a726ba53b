// Protects the credential: it goes over https or to this machine, and to the host that the user sees.
import { describe, expect, it } from 'vitest';
import { parseBaseUrl } from '../../../src/client/http/proxy.ts';

it.each([
  ['https://console.example.com/api/v2', 'https://console.example.com/api/v2'],
  ['https://console.example.com/api/v2/', 'https://console.example.com/api/v2'],
  ['HTTPS://Console.Example.com:443/api/v2//', 'https://console.example.com/api/v2'],
  ['https://console.example.com', 'https://console.example.com'],
  ['http://localhost:4010/api/v2', 'http://localhost:4010/api/v2'],
  ['http://127.0.0.1:4010', 'http://127.0.0.1:4010'],
  ['http://127.8.9.10/x', 'http://127.8.9.10/x'],
  ['http://[::1]:4010/api/v2', 'http://[::1]:4010/api/v2'],
  ['http://0x7f000001/api', 'http://127.0.0.1/api'],
  ['http://2130706433/api', 'http://127.0.0.1/api'],
  ['http://127.1/api', 'http://127.0.0.1/api'],
  ['https://host.example/a/../b', 'https://host.example/b'],
])('parseBaseUrl accepts: %s', (text, url) => {
  expect(parseBaseUrl(text)).toEqual({ url });
});

describe('parseBaseUrl refuses', () => {
  it.each([
    ['', 'empty'],
    ['console.example.com/api/v2', 'must start with https://'],
    ['ftp://host.example/', 'must start with https://'],
    ['file:///etc/passwd', 'must start with https://'],
    ['https://', 'not a valid URL'],
    ['https://host.example:99999/', 'not a valid URL'],
    ['http://console.example.com/api/v2', 'for this machine only'],
    ['http://localhost.evil.com/', 'for this machine only'],
    ['http://evil.com/localhost', 'for this machine only'],
    ['http://127.0.0.1.evil.com/', 'for this machine only'],
    ['http://localhost@evil.com/', 'user name or password'],
    ['http://169.254.169.254/', 'for this machine only'],
    ['http://0.0.0.0:4010/', 'for this machine only'],
    ['http://[::2]/', 'for this machine only'],
    ['http://evil.com\\@localhost/', 'backslash'],
    ['https://host.example/api?key=1', 'query or a fragment'],
    ['https://host.example/api#x', 'query or a fragment'],
    ['https://host.example/api?', 'query or a fragment'],
    ['https://host.example/api//v2', 'empty segment'],
    ['https://hóst.example/', 'characters'],
    ['https://host.example/\n', 'characters'],
    [' https://host.example/', 'characters'],
  ])('%j', (text, words) => {
    expect(parseBaseUrl(text)).toEqual({ problem: expect.stringContaining(words) as string });
  });

  it.each(['https://user:hunter2@host.example/', 'https://hunter2@host.example/', 'https://:hunter2@host.example/'])(
    'a credential in the URL without repeating it: %s',
    (text) => {
      const result = parseBaseUrl(text);
      expect(result).toHaveProperty('problem');
      expect(JSON.stringify(result)).not.toContain('hunter2');
    },
  );
});
