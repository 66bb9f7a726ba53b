// Small worlds of all kinds below project shop, from YAML: what the files declare, and what is live.
import { parse } from 'yaml';
import type { JsonObject } from '../../../../src/base/json.ts';
import { kinds } from '../../../../src/kinds/index.ts';
import type { DesiredResource } from '../../../../src/model/desired.ts';
import type { LiveResource } from '../../../../src/model/live.ts';
import type { Plan } from '../../../../src/model/outcome/plan.ts';
import { makePlan } from '../../../../src/plan/make-plan.ts';
import { living } from './whole-shop.ts';
import { at, bareInput, declaredAs } from './world.ts';

const SECTIONS: Readonly<Record<string, string>> = { branches: 'branch', roles: 'role', databases: 'database' };

/** The branch main, declared as it is live, unless the world says otherwise. */
const MAIN = { 'branches/main': {} };
const LIVE_MAIN = { 'br-main': { default: true } };

type Entries = Readonly<Record<string, JsonObject>>;

/** Declarations by path (`branches/dev/roles/app`, `project`), and live resources by id: `br-dev` named dev, `br-dev/roles/app`, `ep-1`. */
export function planOfKinds(declared: string, live: string = '', projectId = 'shop-1'): Plan {
  const [wanted, there] = [declared, live].map((text) => (parse(`{ ${text} }`) ?? {}) as Entries);
  const isMade = projectId !== 'shop-1';
  const project = { name: 'shop', id: null, labels: {}, prune: false, unmanagedOk: [], source: at(1) };
  const resources = Object.entries({ ...(isMade ? {} : MAIN), ...wanted }).map(declarationOf);
  return makePlan(
    bareInput({
      kinds,
      desired: { projects: [{ label: 'shop', ...project, mayBeMade: isMade }], resources },
      live: {
        projects: [{ label: 'shop', id: projectId, name: 'shop' }],
        resources: Object.entries({ ...(isMade ? {} : LIVE_MAIN), ...there }).map(liveOf),
      },
      allow: ['create', 'drop', 'expire'].flatMap((action) => resources.map(({ address }) => ({ action, address }))),
    }),
  );
}

/** `=dev` stands for the id of the declared branch dev, `was` for its former name; what was not there before is meant to be new. */
function declarationOf([path, entry]: readonly [string, JsonObject]): DesiredResource {
  const { state, id = null, was = null, secret, ...rest } = entry;
  const [name = '', section = '', ...above] = path.split('/').reverse();
  const isProject = path === 'project';
  const kind = isProject ? path : (SECTIONS[section] ?? 'compute');
  const spec = Object.entries(rest).map(([key, value]) => [
    key,
    typeof value === 'string' && value.startsWith('=')
      ? { ref: `shop/branches/${value.slice(1)}`, field: 'id' }
      : value,
  ]);
  return declaredAs({
    kind,
    address: isProject ? 'shop' : `shop/${path}`,
    scope: 'shop',
    name,
    ...(above.length === 0 ? {} : { parent: ['shop', ...above.reverse()].join('/') }),
    pin: id as string | null,
    absent: state === 'absent',
    isNew: was === null,
    movedFrom: was as string | null,
    spec: { ...(kind === 'compute' || isProject ? {} : { name }), ...(Object.fromEntries(spec) as JsonObject) },
    options: { ...(isProject ? { name: 'shop' } : {}), ...(secret === undefined ? {} : { secret }) },
  });
}

function liveOf([key, spec]: readonly [string, JsonObject]): LiveResource {
  const [first = '', section = '', name = first.slice('br-'.length)] = key.split('/');
  const kind = SECTIONS[section] ?? (first.startsWith('br-') ? 'branch' : 'compute');
  const usual = kind === 'branch' ? { name, default: false, protected: false } : { name };
  const [id, above] = section === '' ? [first, {}] : [`${first}/${name}`, { parentId: first }];
  return living(kind, id, kind === 'compute' ? spec : { ...usual, ...spec }, above);
}
