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
const LOOPBACK = [127, 0, 0, 1];
/** Object ids in their DER form: 1.2.840.10045.4.3.2, 2.5.4.3, 2.5.29.17 and 2.5.29.19. */
const ECDSA_WITH_SHA256 = '2a8648ce3d040302';
const COMMON_NAME = '550403';
const SUBJECT_ALT_NAME = '551d11';
const BASIC_CONSTRAINTS = '551d13';

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
    tagged(0xa0, integer(2)),
    integer(1, ...random.bytes(SERIAL_BYTES)),
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

function tagged(tag: number, ...content: readonly Buffer[]): Buffer {
  const body = Buffer.concat(content);
  return Buffer.concat([Buffer.from([tag]), lengthOf(body.length), body]);
}

function lengthOf(length: number): Buffer {
  if (length < 0x80) return Buffer.from([length]);
  const bytes: number[] = [];
  for (let rest = length; rest > 0; rest = Math.floor(rest / 256)) bytes.unshift(rest % 256);
  return Buffer.from([0x80 | bytes.length, ...bytes]);
}

/** A number, most significant byte first; a first byte above 0x7f would make it negative. */
const integer = (...bytes: readonly number[]): Buffer => tagged(0x02, Buffer.from(bytes));
const sequence = (...content: readonly Buffer[]): Buffer => tagged(0x30, ...content);
const setOf = (...content: readonly Buffer[]): Buffer => tagged(0x31, ...content);
const bitString = (bytes: Buffer): Buffer => tagged(0x03, Buffer.from([0]), bytes);
const octets = (bytes: Buffer): Buffer => tagged(0x04, bytes);
const truth = (): Buffer => tagged(0x01, Buffer.from([0xff]));
const objectId = (hex: string): Buffer => tagged(0x06, Buffer.from(hex, 'hex'));
const utf8 = (text: string): Buffer => tagged(0x0c, Buffer.from(text));

function time(ms: number): Buffer {
  const digits = new Date(ms).toISOString().replaceAll(/[-:T]/g, '').slice(0, 14);
  return tagged(0x18, Buffer.from(`${digits}Z`));
}
