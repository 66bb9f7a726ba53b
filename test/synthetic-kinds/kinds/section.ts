// What a file may say of the invented kinds.
import type { Json, JsonObject } from '../../../src/base/json.ts';
import type { Entry, EntryMeaning, KindSection } from '../../../src/config/kind-section.ts';
import type { LiveResource } from '../../../src/model/live.ts';
import type { Shape } from './shapes.ts';

const SEGMENTS = ['crates', 'boxes', 'items'];

export function sectionOf(shape: Shape): KindSection {
  return {
    ...shape.place,
    attributes: shape.attributes,
    meaning: (entry) => meaningOf(shape, entry),
    check: () => [],
    written: (wanted) =>
      wanted.map((live) => ({
        id: live.id,
        name: String(live.spec['name']),
        isApiName: true,
        identity: { id: live.id },
        attributes: withoutName(live),
      })),
  };
}

function withoutName({ spec }: LiveResource): JsonObject {
  const { name: _name, ...rest } = spec;
  return rest;
}

function meaningOf({ attributes, link, place }: Shape, { name, value, project, parent }: Entry): EntryMeaning {
  const apiName = textOf(value['name']) ?? name;
  const written = Object.keys(attributes).flatMap((key) => (value[key] === undefined ? [] : [[key, value[key]]]));
  const own: JsonObject = { ...(Object.fromEntries(written) as JsonObject), name: apiName };
  const to = textOf(value[link]);
  const linked = to === null ? {} : { [link]: referenceTo(to, place.segment ?? '', parent, project?.label ?? '') };
  return {
    spec: value['state'] === 'absent' ? { name: apiName } : { ...own, ...linked },
    options: value['disposable'] === true ? { disposable: true } : {},
    movedFrom: textOf(value['renamed_from']),
    problems: [],
  };
}

const ID = /^[a-z]{2}-[0-9]{6}$/;

/** An id as it is; else the address of what is named from here, from the project on, or (`PROJECT:CRATE`) from another project on. */
function referenceTo(text: string, segment: string, parent: string | null, project: string): Json {
  if (ID.test(text)) return text;
  const [, other, inner = text] = /^(\w+):(.*)$/.exec(text) ?? [];
  const parts = inner.split('/');
  const above = parent ?? project;
  const near = above === '' ? `${segment}/${text}` : `${above}/${segment}/${text}`;
  const far = [other ?? project, ...parts.map((part, at) => `${SEGMENTS[at]}/${part}`)].join('/');
  return { ref: parts.length === 1 && other === undefined ? near : far, field: 'id' };
}

function textOf(value: Json | undefined): string | null {
  return typeof value === 'string' ? value : null;
}
