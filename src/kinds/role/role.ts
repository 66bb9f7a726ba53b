// Roles (api-rules 9): branch and name identify a role, because the service gives no id.
import { listed } from '../../base/picked.ts';
import type { RoleListItem, RoleWritten } from '../../api/index.ts';
import { isJsonObject, type JsonObject } from '../../base/json.ts';
import { Secret } from '../../base/secret.ts';
import { millisecondsOf } from '../../base/time/clock.ts';
import type { Entry, EntryProblem } from '../../config/kind-section.ts';
import type { LiveResource } from '../../model/live.ts';
import type { Step } from '../../model/outcome/plan.ts';
import type { KindRules } from '../../plan/kind-rules.ts';
import { defineKind, type Kind, type KindTable, flag, plain } from '../define.ts';
import { itemPath } from '../shared/wire.ts';
import { nameProblemOf, onABranch, reservedName, strangerIn } from '../shared/branch-contents.ts';
import { COPY_DROPPED, effectOf, NOTHING } from '../shared/effects.ts';
import { rotationIn, targetsOf } from '../shared/secret-entry.ts';
import { contentsOf, gatherFacts, passwordUpkeep, RECORD, recordOf, roleVerdict } from './password.ts';

type Item = RoleListItem & Partial<Pick<RoleWritten['role'], 'password'>>;

/** Postgres and the service reserve these names. */
const RESERVED = /^(?:pg.*|neon_superuser|cloud_admin|zenith_admin|public|none)$/;

function optionsOf(value: Entry['value'], problems: EntryProblem[]): JsonObject {
  const secret = targetsOf(value, 'password', problems);
  const { rotate } = value;
  return {
    ...(secret.length === 0 ? {} : { secret }),
    ...(isJsonObject(rotate) ? { rotate: rotationIn(rotate, 'passwords', problems) } : {}),
  };
}

/** Returns why no reset is needed, else null: after planning, another run or a request of this run (reply lost) reset the password. */
function needless(step: Step, { observed }: LiveResource): string | null {
  if (step.method !== 'POST' || step.expects.state !== 'present') return null;
  const before = step.expects.fingerprint.passing['updated_at'] ?? null;
  return before === (observed['updated_at'] ?? null) ? null : 'the password was reset after the plan was made';
}

const OLD_ENDS = 'the old password works until the reset ends; from then on, only the new password works';

/** The creation of a role and the reset of a password drop the connections of an active compute (api-rules 9.3). */
const EFFECTS: KindRules['effects'] = {
  create({ sinks = [], isBelowUnborn = false }) {
    const impact = listed(!isBelowUnborn && 'drops_connections', sinks.length > 0 && 'secret_created');
    return impact.length === 0 ? NOTHING : { ...NOTHING, impact };
  },
  rotate({ sinks = [] }) {
    if (sinks.length > 0) return { ...NOTHING, impact: ['drops_connections', 'secret_created'], notes: [OLD_ENDS] };
    const words =
      'clients with the present password can no longer log in: trueup stores the new password only in the sinks of connections of this role';
    const lockedOut = effectOf('access_changes', { paths: ['password'], words }, 'access');
    return { ...lockedOut, impact: ['drops_connections', 'access_changes'], notes: [OLD_ENDS] };
  },
  delete({ isBelowUnborn = false }) {
    const dropped = effectOf('data_lost', { words: 'the role and its grants are deleted for good' });
    return isBelowUnborn ? COPY_DROPPED : { ...dropped, impact: ['data_lost', 'drops_connections'] };
  },
};

const table: KindTable<Item> = {
  ...onABranch('role'),
  wire: {
    list: 'RoleListing',
    items: 'roles',
    reply: 'RoleWritten',
    item: 'role',
    shown: 'RoleWritten',
    problemOf: (items, { parentId = '' }) => strangerIn(items, parentId, 'role'),
    secretOf: ({ password, created_at: made, updated_at: set }, live, isNew) => ({
      secret: password === undefined ? null : new Secret(password),
      madeAtMs: millisecondsOf(isNew ? made : set),
      record: recordOf(live),
    }),
  },
  idOf: ({ name }, branchId) => `${branchId}/${name}`,
  attributes: {
    name: plain({ tells: true, isIdentity: true }),
    no_login: {
      ...flag({ change: 'immutable', default: false }),
      read: ({ authentication_method: method }) => (method === undefined ? undefined : method === 'no_login'),
      write: (value) => (value === true ? true : undefined),
    },
  },
  observed: ['created_at', 'updated_at', 'protected'],
  passing: ['updated_at'],
  // The only change of a role is a reset of its password.
  requests: { update: (input) => ({ method: 'POST', path: `${itemPath(table, input)}/reset_password`, body: null }) },
  needless,
  record: RECORD,
  reveal: contentsOf,
  facts: gatherFacts,
  verdict: roleVerdict,
  upkeep: passwordUpkeep,
  consentWords: ['drop', 'access'],
  effects: EFFECTS,
  excludes: [['no_login', true, ['password', 'rotate'], 'the role has no password']],
  problems: ({ name }) => [nameProblemOf(name, 'role'), RESERVED.test(name) && reservedName(name)],
  means: ({ value }, _spec, problems) => (value['state'] === 'absent' ? {} : { options: optionsOf(value, problems) }),
};

export const role: Kind = defineKind(table);
