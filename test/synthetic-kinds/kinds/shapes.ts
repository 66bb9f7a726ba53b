// The invented kinds as data: crates of a project hold boxes, boxes hold items, cellars hold bottles, which are missed; barns of the
// account hold stalls. Most refer to their like.
import type { KindPlace } from '../../../src/model/kind.ts';
import type { Attribute } from '../../../src/model/attributes.ts';

export interface Shape {
  readonly place: KindPlace;
  /** How ids of it begin. */
  readonly prefix: string;
  /** The attribute that holds the id of another one of the kind, anywhere in the project. */
  readonly link: string;
  readonly attributes: Readonly<Record<string, Attribute>>;
  /** Where those below `parentId` are listed and made, relative to their project or the account. */
  readonly collection: (parentId: string | null) => string;
  /** Where one is changed and removed. */
  readonly member: (id: string) => string;
  /** Its changes are consented to by what is lost. */
  readonly isMissed?: true;
}

const IN_PLACE: Attribute = {
  change: 'update',
  restarts: false,
  absent: null,
  normalise: (value) => ({ value }),
};
const SHAKING: Attribute = { ...IN_PLACE, restarts: true };
const FOR_GOOD: Attribute = { ...IN_PLACE, change: 'never' };
const ANOTHER: Attribute = { ...IN_PLACE, change: 'replace' };
const NAME: Attribute = { ...IN_PLACE, tells: true, isIdentity: true, formerly: 'renamed_from' };

/** An attribute that holds the id of another resource of the kind, anywhere in the project. */
function linkTo(kind: string): Attribute {
  return { ...IN_PLACE, refersTo: { kind, field: 'id', among: 'project' } };
}

const COMMON = { name: NAME, note: IN_PLACE, grade: SHAKING, material: FOR_GOOD };

const crate: Shape = {
  place: { kind: 'crate', parent: 'project', section: 'crates', segment: 'crates' },
  prefix: 'cr',
  link: 'beside',
  attributes: { ...COMMON, beside: linkTo('crate') },
  collection: () => '/crates',
  member: (id) => `/crates/${id}`,
};

const box: Shape = {
  place: { kind: 'box', parent: 'crate', section: 'boxes', segment: 'boxes' },
  prefix: 'bo',
  link: 'beside',
  attributes: { ...COMMON, beside: linkTo('box') },
  collection: (crateId) => `/crates/${crateId}/boxes`,
  member: (id) => `/boxes/${id}`,
};

const item: Shape = {
  place: { kind: 'item', parent: 'box', section: 'items', segment: 'items' },
  prefix: 'it',
  link: 'holds',
  attributes: {
    ...COMMON,
    holds: linkTo('item'),
    rests_on: { ...IN_PLACE, refersTo: { kind: 'item', field: 'name', among: 'siblings' } },
    maker: ANOTHER,
  },
  collection: (boxId) => `/boxes/${boxId}/items`,
  member: (id) => `/items/${id}`,
};

const cellar: Shape = {
  place: { kind: 'cellar', parent: 'project', section: 'cellars', segment: 'cellars' },
  prefix: 'ce',
  link: 'beside',
  attributes: { name: NAME, note: IN_PLACE, keeps: IN_PLACE, open: IN_PLACE, sealed: IN_PLACE, cut: SHAKING },
  collection: () => '/cellars',
  member: (id) => `/cellars/${id}`,
  isMissed: true,
};

const bottle: Shape = {
  place: { kind: 'bottle', parent: 'cellar', section: 'bottles', segment: 'bottles' },
  prefix: 'bt',
  link: 'beside',
  attributes: { name: NAME, note: IN_PLACE, cut: SHAKING },
  collection: (cellarId) => `/cellars/${cellarId}/bottles`,
  member: (id) => `/bottles/${id}`,
  isMissed: true,
};

/** They belong to the account, and so does what they hold. */
const barn: Shape = {
  place: { kind: 'barn', parent: null, section: 'barns', segment: 'barns' },
  prefix: 'ba',
  link: 'beside',
  attributes: { ...COMMON, beside: linkTo('barn') },
  collection: () => '/barns',
  member: (id) => `/barns/${id}`,
};

const stall: Shape = {
  place: { kind: 'stall', parent: 'barn', section: 'stalls', segment: 'stalls' },
  prefix: 'st',
  link: 'beside',
  attributes: { ...COMMON, beside: linkTo('stall') },
  collection: (barnId) => `/barns/${barnId}/stalls`,
  member: (id) => `/stalls/${id}`,
};

export const SHAPES: readonly Shape[] = [crate, box, item, cellar, bottle, barn, stall];

/** Where requests for the kind begin. */
export function rootOf(projectId: string | null): string {
  return projectId === null ? '' : `/projects/${projectId}`;
}
