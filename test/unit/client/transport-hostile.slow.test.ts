// Protects the classes of failures over real sockets, against a server that does whatever it likes with bytes.
import { describe, expect, it } from 'vitest';
import { answerText, type Asked } from './raw-server.ts';
import {
  LIMITS,
  OK,
  outcomeOf,
  repeat,
  request,
  serve,
  write,
  writeAndEnd,
  type Outcome,
} from './transport-support.ts';

const CASES: readonly [string, (asked: Asked) => void, Outcome | readonly [Outcome, Outcome], string?][] = [
  // what the server does, how it does it, how GET and POST end, words
  [
    'H9 cuts the body short',
    writeAndEnd('HTTP/1.1 201 X\r\ncontent-length: 50\r\n\r\n{"a":1}'),
    'unusable',
    'cut short',
  ],
  [
    'H10 cuts a chunked body between chunks',
    writeAndEnd('HTTP/1.1 200 X\r\ntransfer-encoding: chunked\r\n\r\n7\r\n{"a":1}\r\n'),
    'unusable',
    'cut short',
  ],
  ['cuts the body of a refusal short', writeAndEnd('HTTP/1.1 409 X\r\ncontent-length: 50\r\n\r\n{"a"'), 409],
  ['H8 cuts the headers short', writeAndEnd('HTTP/1.1 200 X\r\ncontent-le'), 'ambiguous', 'got no answer'],
  ['H4 closes without an answer', writeAndEnd(''), 'ambiguous', 'got no answer'],
  ['resets without an answer', ({ socket }) => void socket.resetAndDestroy(), 'ambiguous', 'got no answer'],
  ['H22 never answers', () => undefined, 'ambiguous', 'in time'],
  ['H21 sends headers for ever', repeat('HTTP/1.1 200 X\r\n', 'x: y\r\n', 30), 'ambiguous'],
  [
    'stops in the middle of the body',
    write('HTTP/1.1 200 X\r\ncontent-length: 50\r\n\r\n{'),
    'unusable',
    'but the reply',
  ],
  [
    'H21 sends a byte now and then',
    repeat('HTTP/1.1 200 X\r\ncontent-length: 5000\r\n\r\n', ' ', 40),
    'unusable',
    'not complete after 900 ms',
  ],
  [
    'H18 sends a body without end',
    repeat('HTTP/1.1 200 X\r\n\r\n', Buffer.alloc(4000, 0x20), 1),
    'unusable',
    'larger than',
  ],
  ['announces a gigabyte', write('HTTP/1.1 200 X\r\ncontent-length: 1073741824\r\n\r\n '), 'unusable', 'larger than'],
  ['sends a body that only a read may have', write(answerText(200, `"${'x'.repeat(15_000)}"`)), [200, 'unusable']],
  ['H19 compresses', write(answerText(200, 'zzzz', 'content-encoding: gzip')), 'unusable', 'compressed (gzip)'],
  ['says identity, which is no compression', write(answerText(200, '{}', 'content-encoding: identity')), 200],
  [
    'H15 sends invalid UTF-8',
    write('HTTP/1.1 200 X\r\ncontent-length: 3\r\n\r\n', Buffer.from([0x22, 0xff, 0x22])),
    'unusable',
    'UTF-8',
  ],
  ['H20 sends headers without measure', write(`HTTP/1.1 200 X\r\nx: ${'y'.repeat(100_000)}\r\n\r\n`), 'ambiguous'],
  ['speaks another language', write('SSH-2.0-OpenSSH_9.2\r\n'), 'ambiguous'],
  [
    'answers with two lengths',
    write('HTTP/1.1 200 X\r\ncontent-length: 2\r\ncontent-length: 3\r\n\r\n{}}'),
    'ambiguous',
  ],
  [
    'answers with a length and chunks',
    write('HTTP/1.1 200 X\r\ncontent-length: 2\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n'),
    'ambiguous',
  ],
  ['H48 sends interim replies for ever', repeat('', 'HTTP/1.1 102 X\r\n\r\n', 1), 'ambiguous', 'in time'],
  [
    'H48 sends a 100 that nothing asked for',
    write('HTTP/1.1 100 Continue\r\n\r\n', OK),
    'ambiguous',
    'an unexpected interim reply, such as 100 Continue',
  ],
  ['sends a hint first', write('HTTP/1.1 103 X\r\nlink: </a>\r\n\r\n', OK), 200],
  ['upgrades the connection', write('HTTP/1.1 101 X\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n'), 'ambiguous'],
  ['answers 204', write('HTTP/1.1 204 X\r\n\r\n'), 204],
  ['answers in many pieces', ({ socket }) => OK.split('').forEach((letter) => socket.write(letter)), 200],
];

describe.each(['GET', 'POST'] as const)('%s of a server that', (method) => {
  it.concurrent.each(CASES)('%s', async (_name, answer, ends, words = '') => {
    const [onGet, onPost] = typeof ends === 'object' ? ends : [ends, ends];
    const { transport } = await serve(answer);
    const startedMs = performance.now();
    const { outcome, message } = await outcomeOf(transport.send(request(method)));
    expect(outcome).toBe(method === 'GET' ? onGet : onPost);
    if (typeof outcome === 'string') expect(message).toContain(words);
    expect(message).not.toContain('canary');
    expect(performance.now() - startedMs).toBeLessThan(10_000);
  });
});

it('a silence within a body is given up long before the whole time is over', async () => {
  const limits = { ...LIMITS, totalMs: 60_000 };
  const { transport } = await serve(write('HTTP/1.1 200 X\r\ncontent-length: 50\r\n\r\n{'), { limits });
  await expect(transport.send(request('GET'))).rejects.toThrow('the reply stopped in the middle');
});
