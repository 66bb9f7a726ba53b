// The invented kinds on the wire.
import { checkReply, type Operation, type ShapeName } from '../../../src/api/index.ts';
import type { Json, JsonObject } from '../../../src/base/json.ts';
import type { KindRemote, WriteOutcome } from '../../../src/apply/kind-remote.ts';
import { toOperationRecord } from '../../../src/client/operations/log.ts';
import type { Below } from '../../../src/model/kind.ts';
import type { LiveResource } from '../../../src/model/live.ts';
import type { Step } from '../../../src/model/outcome/plan.ts';
import { rootOf, type Shape } from './shapes.ts';

interface Member extends JsonObject {
  readonly id: string;
  readonly project_id: string | null;
  readonly created_at: string;
}

interface MemberReply {
  readonly member: Member;
  readonly operations?: readonly Operation[];
}

export function remoteOf(shape: Shape): KindRemote {
  return {
    ...shape.place,
    attributes: shape.attributes,
    async list(reader, below, signal) {
      const path = `${rootOf(below.projectId)}${shape.collection(below.parentId ?? null)}`;
      const { members } = await reader.get<{ members: readonly Member[] }>(path, 'MemberList' as ShapeName, { signal });
      return members.map((member) => liveOf(shape, member, below));
    },
    outcome,
    recognise: () => 'name',
    describe: () => ({ columns: { branch_id: null, state: null, host: null } }),
  };
}

function liveOf({ place, attributes }: Shape, member: Member, { projectId, parentId }: Below): LiveResource {
  const own = Object.keys(attributes).flatMap((key) => (member[key] === undefined ? [] : [[key, member[key]]]));
  return {
    kind: place.kind,
    id: member.id,
    projectId,
    ...(parentId === undefined ? {} : { parentId }),
    spec: Object.fromEntries(own) as JsonObject,
    observed: member['last_used'] === undefined ? {} : { last_used: member['last_used'] },
    createdAtMs: Date.parse(member.created_at),
  };
}

function outcome(step: Step, reply: Json): WriteOutcome | null {
  const checked = checkReply<MemberReply>('MemberReply' as ShapeName, reply);
  if (!checked.ok) return null;
  const { member, operations = [] } = checked.value;
  const { id, created_at: createdAt, project_id: projectId } = member;
  if (step.expects.state === 'present' && step.expects.id !== id) return null;
  return {
    id,
    operations: projectId === null ? [] : operations.map((one) => toOperationRecord(one, projectId)),
    secret: null,
    ...(step.action === 'create' ? { madeAtMs: Date.parse(createdAt) } : {}),
    record: {},
  };
}
