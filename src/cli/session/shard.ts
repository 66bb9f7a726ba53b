// `--shard I/N`: the projects of one of N parallel runs; each project belongs to exactly one run.
import { createHash } from 'node:crypto';
import { kinds } from '../../kinds/index.ts';
import type { DesiredState } from '../../model/desired.ts';
import type { Shard } from '../program/flags.ts';

/** The addresses of a run: the flags' own, without those of other shards. */
export interface Selection {
  readonly target: readonly string[];
  readonly exclude: readonly string[];
}

export function selectionOf(
  settings: Selection & { readonly shard: Shard | null },
  desired: DesiredState | null,
): Selection {
  const { target, exclude, shard } = settings;
  if (shard === null || desired === null) return { target, exclude };
  const scopes = [
    ...desired.projects.map(({ label, id }) => ({ scope: label, key: id ?? label })),
    ...kinds.flatMap(({ parent, section }) => (parent === null ? [{ scope: section, key: section }] : [])),
  ];
  const others = scopes.filter(({ key }) => shardOf(key, shard.count) !== shard.index);
  return { target, exclude: [...exclude, ...others.map(({ scope }) => `${scope}/*`)] };
}

/** The shard (from 1) of a project's id, or of its label without an id: the same on every machine. */
export function shardOf(key: string, count: number): number {
  return (createHash('sha256').update(key).digest().readUIntBE(0, 6) % count) + 1;
}
