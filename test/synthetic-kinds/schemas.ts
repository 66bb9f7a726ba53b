// The shapes of the invented kinds, composed with the shipped ones as those are: modules of validators, and the notes for messages.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { JsonObject } from '../../src/base/json.ts';

const HERE = import.meta.dirname;
const ROOT = join(HERE, '../..');
const CACHE = join(ROOT, '.cache/synthetic-kinds');

interface Composing {
  composedSchema(folder: string, more: readonly string[]): JsonObject;
  impactsOf(folder: string, more: readonly string[]): string;
  notesOf(bundle: JsonObject): string;
}

interface Validating {
  bundleOf(schemas: readonly JsonObject[]): JsonObject;
  validatorsOf(bundle: JsonObject, names: readonly string[]): Promise<string>;
}

export interface SyntheticSchemas {
  /** The whole desired-state schema, as it would be shipped. */
  readonly desiredState: JsonObject;
  readonly config: Readonly<Record<string, unknown>>;
  readonly notes: Readonly<Record<string, unknown>>;
  readonly impacts: Readonly<Record<string, unknown>>;
  readonly wire: Readonly<Record<string, unknown>>;
}

let composed: Promise<SyntheticSchemas> | null = null;

export async function syntheticSchemas(): Promise<SyntheticSchemas> {
  return (composed ??= compose());
}

async function compose(): Promise<SyntheticSchemas> {
  const load = async (name: string): Promise<unknown> => import(join(ROOT, 'schemas', name));
  const { composedSchema, impactsOf, notesOf } = (await load('compose.mjs')) as Composing;
  const { bundleOf, validatorsOf } = (await load('validators.mjs')) as Validating;
  const desiredState = composedSchema(join(ROOT, 'schemas'), [join(HERE, 'schemas')]);
  const bundle = bundleOf([desiredState]);
  const wire = JSON.parse(readFileSync(join(HERE, 'schemas/wire/wire.schema.json'), 'utf8')) as JsonObject;
  mkdirSync(CACHE, { recursive: true });
  const config = await validatorsOf(bundle, ['DesiredStateFile', 'SafetyFile']);
  const onTheWire = await validatorsOf(bundleOf([wire]), ['Member', 'MemberList', 'MemberReply']);
  return {
    desiredState,
    config: await moduleOf('config.js', config),
    notes: await moduleOf('notes.ts', notesOf(bundle)),
    impacts: await moduleOf('impacts.ts', impactsOf(join(ROOT, 'schemas'), [join(HERE, 'schemas')])),
    wire: await moduleOf('wire.js', onTheWire),
  };
}

async function moduleOf(name: string, code: string): Promise<Readonly<Record<string, unknown>>> {
  const file = join(CACHE, `${process.pid}-${name}`);
  writeFileSync(file, code);
  return (await import(file)) as Readonly<Record<string, unknown>>;
}
