// The router's self-signed certificate for every host name of a compute: made at the first start, then kept.
import { generateKeyPairSync, sign } from 'node:crypto';
import { join } from 'node:path';
import type { Random } from '../../../base/random.ts';
import { readOwn, writeOwn } from '../../store/own-file.ts';

export interface KeyPair {
  readonly cert: string;
  readonly key: string;
}

const DAY_MS = 86_400_000;
const VALID_DAYS = 3650;
const SERIAL_BYTES = 16;
const ECDSA_WITH_SHA256 = '1.2.840.10045.4.3.2';
const COMMON_NAME = '2.5.4.3';
const SUBJECT_ALT_NAME = '2.5.29.17';
const LOOPBACK = [127, 0, 0, 1];
const BASIC_CONSTRAINTS = '2.5.29.19';

export interface CertificateOptions {
  readonly names: readonly string[];
  readonly nowMs: number;
  readonly random: Random;
}

/** The key pair in `folder`, made if missing. Only the owner can read the files. Clients may get `postgres-cert.pem`. */
export function certificateIn(folder: string, options: CertificateOptions): KeyPair {
  const [certFile, keyFile] = [join(folder, 'postgres-cert.pem'), join(folder, 'postgres-key.pem')];
  const [cert, key] = [readOwn(certFile), readOwn(keyFile)];
  if (cert !== undefined && key !== undefined) return { cert, key };
  const pair = newCertificate(options);
  writeOwn(keyFile, pair.key);
  writeOwn(certFile, pair.cert);
  return pair;
}

export function newCertificate({ names, nowMs, random }: CertificateOptions): KeyPair {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const algorithm = sequence(objectId(ECDSA_WITH_SHA256));
  const name = sequence(setOf(sequence(objectId(COMMON_NAME), utf8('trueup local Postgres'))));
  const alternatives = [...names.map((dns) => tagged(0x82, Buffer.from(dns))), tagged(0x87, Buffer.from(LOOPBACK))];
  const extensions = sequence(
    sequence(objectId(BASIC_CONSTRAINTS), truth(), octets(sequence(truth()))),
    sequence(objectId(SUBJECT_ALT_NAME), octets(sequence(...alternatives))),
  );
  const body = sequence(
    tagged(0xa0, integer(Buffer.from([2]))),
    integer(Buffer.from([1, ...random.bytes(SERIAL_BYTES)])),
    algorithm,
    name,
    sequence(time(nowMs - DAY_MS), time(nowMs + VALID_DAYS * DAY_MS)),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    tagged(0xa3, extensions),
  );
  const certificate = sequence(body, algorithm, bitString(sign('sha256', body, privateKey)));
  return { cert: pem(certificate), key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString() };
}

function pem(certificate: Buffer): string {
  const lines = certificate.toString('base64').match(/.{1,64}/g) ?? [];
  return `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`;
}

type Bytes = Buffer;

function tagged(tag: number, ...content: readonly Bytes[]): Bytes {
  const body = Buffer.concat(content);
  return Buffer.concat([Buffer.from([tag]), lengthOf(body.length), body]);
}

function lengthOf(length: number): Bytes {
  if (length < 0x80) return Buffer.from([length]);
  const bytes: number[] = [];
  for (let rest = length; rest > 0; rest = Math.floor(rest / 256)) bytes.unshift(rest % 256);
  return Buffer.from([0x80 | bytes.length, ...bytes]);
}

const sequence = (...content: readonly Bytes[]): Bytes => tagged(0x30, ...content);
const setOf = (...content: readonly Bytes[]): Bytes => tagged(0x31, ...content);
const bitString = (bytes: Bytes): Bytes => tagged(0x03, Buffer.from([0]), bytes);
const octets = (bytes: Bytes): Bytes => tagged(0x04, bytes);
const truth = (): Bytes => tagged(0x01, Buffer.from([0xff]));
const utf8 = (text: string): Bytes => tagged(0x0c, Buffer.from(text));

/** The DER form of a number that is not negative, most significant byte first. */
function integer(bytes: Uint8Array): Bytes {
  const isHigh = ((bytes[0] ?? 0) & 0x80) !== 0;
  return tagged(0x02, Buffer.from(isHigh ? [0, ...bytes] : bytes));
}

function time(ms: number): Bytes {
  const digits = new Date(ms).toISOString().replaceAll(/[-:T]/g, '').slice(0, 14);
  return tagged(0x18, Buffer.from(`${digits}Z`));
}

function objectId(text: string): Bytes {
  const [first = 0, second = 0, ...rest] = text.split('.').map(Number);
  return tagged(0x06, Buffer.from([first * 40 + second, ...rest.flatMap(base128)]));
}

function base128(value: number): number[] {
  const bytes = [value % 128];
  for (let rest = Math.floor(value / 128); rest > 0; rest = Math.floor(rest / 128)) bytes.unshift(0x80 | (rest % 128));
  return bytes;
}
