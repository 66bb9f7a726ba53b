// Live branches as entries of a file, with the names and values that a person would write.
import { compareText, type JsonObject } from '../../base/json.ts';
import { present } from '../../base/picked.ts';
import type { WrittenAmong, WrittenEntry } from '../../config/kind-section.ts';
import type { LiveResource } from '../../model/live.ts';

export function writtenBranches(
  wanted: readonly LiveResource[],
  { around }: Pick<WrittenAmong, 'around'>,
): readonly WrittenEntry[] {
  const byId = new Map(around.map((live) => [live.id, live]));
  return [...wanted]
    .sort((a, b) => depthOf(a, byId) - depthOf(b, byId) || compareText(nameOf(a), nameOf(b)))
    .map((live) => {
      const name = nameOf(live);
      return {
        id: live.id,
        name,
        // The service shows the id as the name of an unnamed branch, but a label cannot begin like an id.
        ...(name.startsWith('br-') ? { label: `branch-${name.slice('br-'.length)}` } : {}),
        isApiName: true,
        identity: { id: live.id, ...present({ from: live.spec['parent_id'] }) },
        attributes: attributesOf(live),
        isConcise: true,
      };
    });
}

function nameOf({ spec, id }: LiveResource): string {
  return typeof spec['name'] === 'string' ? spec['name'] : id;
}

function depthOf(live: LiveResource, byId: ReadonlyMap<string, LiveResource>): number {
  const seen = new Set<LiveResource>();
  for (let at: LiveResource | undefined = live; at !== undefined && !seen.has(at);) {
    seen.add(at);
    at = byId.get(String(at.spec['parent_id'] ?? ''));
  }
  return seen.size;
}

/** Writes the expiry as `expires_at`, because every apply would renew a `ttl`. */
function attributesOf({ spec }: LiveResource): JsonObject {
  const { default: isDefault, protected: isProtected, expires_at: expiry } = spec;
  return present({ default: isDefault === true || null, protected: isProtected === true || null, expires_at: expiry });
}
