// The rules of projects, and the requests that change them.
import { isoTime } from '../../../base/time/clock.ts';
import { isJsonObject, objectOf, type JsonObject } from '../../../base/json.ts';
import type { DesiredResource } from '../../../model/desired.ts';
import { mergeDeep } from '../../../model/paths.ts';
import type { KindRules } from '../../../plan/kind-rules.ts';
import { NOTES } from '../../shared/notes.ts';
import { projectPath } from '../../shared/paths.ts';
import { firstContentsOf, namesIn } from '../first-contents.ts';
import { PLACE } from '../attributes.ts';
import { projectEffects } from './effect.ts';
import { contents, removalGuard } from './removal.ts';
import { projectVerdict } from './verdict.ts';

/** The service replaces these settings as a whole, so requests also send their unmanaged members. */
const WHOLE_SETTINGS = ['allowed_ips', 'maintenance_window', 'preload_libraries'];

const requests: KindRules['requests'] = {
  create: ({ attributes }) => ({ method: 'POST', path: '/projects', body: { project: attributes } }),
  update: ({ id, attributes, live }) => ({
    method: 'PATCH',
    path: projectPath(id),
    body: { project: asSent(attributes, live?.spec ?? {}) },
  }),
  delete: ({ id }) => ({ method: 'DELETE', path: projectPath(id), body: null }),
};

function asSent(attributes: JsonObject, live: JsonObject): JsonObject {
  const { settings, default_endpoint_settings: defaults, ...rest } = attributes;
  return {
    ...rest,
    ...(isJsonObject(defaults)
      ? { default_endpoint_settings: mergeDeep(objectOf(live['default_endpoint_settings']), defaults) }
      : {}),
    ...(isJsonObject(settings) ? { settings: wholeSettings(settings, objectOf(live['settings'])) } : {}),
  };
}

function wholeSettings(settings: JsonObject, live: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(settings).map(([name, value]) => [
      name,
      WHOLE_SETTINGS.includes(name) && isJsonObject(value) ? mergeDeep(objectOf(live[name]), value) : value,
    ]),
  );
}

/** The first branch carries the mark of the run, because a project has no place for one. */
const along: NonNullable<KindRules['along']> = ({ options, spec }, declared, facts) => {
  // A password that the service does not keep is shown only to the request that creates the role.
  const isShownOnce = spec['store_passwords'] === false;
  const isStored = ({ kind, parent, options, spec: { name } }: DesiredResource): boolean =>
    kind === 'role' &&
    (Object.keys(options).length > 0 || declared.some((one) => one.parent === parent && one.spec['role'] === name));
  const first = firstContentsOf(declared.filter((one) => !(isShownOnce && isStored(one))));
  const made = [first.branch, first.role, first.database, first.compute].filter((one) => one !== null);
  const annotations = { [NOTES.run]: { run_id: true } };
  return {
    spec: { name: options['name'] ?? null, ...organizationOf(spec, facts), branch: { ...namesIn(first), annotations } },
    addresses: made.map(({ address }) => address),
  };
};

/** The project is created in the organization whose projects were listed. */
function organizationOf({ org_id: written }: JsonObject, { org_id: listed }: JsonObject): JsonObject {
  return written === undefined && listed !== undefined ? { org_id: listed } : {};
}

export const projectRules: KindRules = {
  ...PLACE,
  // A project is alone in its scope.
  place: () => 'the project',
  fingerprint: ({ createdAtMs }) => ({
    lasting: createdAtMs === null ? {} : { created_at: isoTime(createdAtMs) },
    passing: {},
  }),
  poolWords: ({ name }) => (name === undefined ? 'the project' : `the project named ${JSON.stringify(name)}`),
  verdict: projectVerdict,
  consentWords: ['access', 'create', 'drop', 'oneway', 'recreate', 'shorten'],
  contents,
  along,
  effects: projectEffects,
  removalGuard,
  requests,
};
