// Makes identifiers, host names and key values in the form of the service.
import { hash, timingSafeEqual } from 'node:crypto';
import type { Random } from '../../../base/random.ts';

const ADJECTIVES =
  'aged ancient autumn billowing bitter black blue bold broad calm cold cool crimson damp dark dawn delicate divine dry empty falling fancy flat floral fragrant frosty gentle green hidden holy icy jolly late lingering little lively long lucky misty morning muddy mute nameless noisy odd old orange patient plain polished proud purple quiet rapid raspy red restless rough round royal shiny shy silent small snowy soft solitary sparkling spring square steep still summer super sweet throbbing tight tiny twilight wandering weathered white wild winter wispy withered yellow young'.split(
    ' ',
  );
const NOUNS =
  'art band bar base bird block boat bonus bread breeze brook bush butterfly cake cell cherry cloud credit dawn dew disk dream dust feather field fire firefly flower fog forest frog frost glade glitter grass hall hat haze heart hill king lab lake leaf limit math meadow mode moon morning mountain mouse mud night paper pine poetry pond queen rain recipe resonance rice river salad scene sea shadow shape silence sky smoke snow snowflake sound star sun sunset surf term thunder tooth tree truth union unit violet voice water waterfall wave wildflower wind wood'.split(
    ' ',
  );
const ALPHANUMERIC = 'abcdefghijklmnopqrstuvwxyz0123456789';

function pick(list: readonly string[], random: Random): string {
  return list[Math.floor(random.next() * list.length)] ?? '';
}

function digits(random: Random): string {
  return String(Math.floor(random.next() * 1_000_000)).padStart(6, '0');
}

/** A new id, not in `taken`: the prefix and `adjective-noun-123456`, three parts as public clients expect. */
export function newId(
  random: Random,
  prefix: '' | 'br-' | 'ep-' | 'org-',
  taken: { has(id: string): boolean },
): string {
  for (;;) {
    const id = `${prefix}${pick(ADJECTIVES, random)}-${pick(NOUNS, random)}-${digits(random)}`;
    if (!taken.has(id)) return id;
  }
}

export function newUuid(random: Random): string {
  const bytes = random.bytes(16);
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = Buffer.from(bytes.buffer, bytes.byteOffset, 16).toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

/** The prefix and random lower-case letters and digits. Skips bytes from 252 on, which would make some characters likelier. */
export function newSecretText(random: Random, prefix: string, length: number): string {
  let value = '';
  while (value.length < length)
    for (const byte of random.bytes(96))
      if (byte < 252 && value.length < length) value += ALPHANUMERIC[byte % 36] ?? '';
  return prefix + value;
}

export function newKeyValue(random: Random, prefix: string): string {
  return newSecretText(random, prefix, 64);
}

/** SHA-256 in hex: the only stored form of a key value. */
export function hashOfKey(value: string): string {
  return hash('sha256', value, 'hex');
}

export function isSameSecret(sent: string, known: string): boolean {
  return timingSafeEqual(Buffer.from(hashOfKey(sent)), Buffer.from(hashOfKey(known)));
}

/** The domain of a region's hosts. It ends in `.localhost`, which resolvers map to this machine. */
export function regionDomain(regionId: string): string {
  const [platform, ...rest] = regionId.split('-');
  return `${rest.join('-') || 'local'}.${platform ?? 'aws'}.db.localhost`;
}

export function computeHost(id: string, regionId: string): string {
  return `${id}.${regionDomain(regionId)}`;
}
