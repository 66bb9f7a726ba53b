// Codes of the account, of blocks, and of warnings: the live state shows the problem.
import type { Entry, Group } from './catalogue.ts';

const severalProjects: Entry = ['Several projects have the name.', 'Write the `id:`.'];
const noProject: Entry = [
  'The account has no such project.',
  'Check name, id and account; `create:` allows its creation.',
];
const limit: Entry = [
  'The plan exceeds this safety limit, so nothing is written.',
  '`--target`, `--allow`, or raise the limit.',
];
const unlisted: Entry = [
  'A resource is created beside an unlisted one that may be the same.',
  '`moved_from:`, `id:` or `new: true`.',
];

const errors: Readonly<Record<string, Entry>> = {
  ambiguous_project: severalProjects,
  both_names_live: ['The old and the new name of a rename both exist.', 'Remove `renamed_from`, or declare both.'],
  branch_not_found: ['The project has no such branch.', 'Correct the label or the id.'],
  cannot_change: ['The attribute cannot be changed after creation.', 'Write the live value.'],
  cannot_create: ['A key needed for creation is missing.', 'Write it.'],
  claimed_twice: ['Two declarations claim one live resource.', 'Remove one id or `moved_from`.'],
  crowded_place: ['The account has two resources where one is allowed.', 'Delete the surplus one by hand.'],
  expectation_failed: ['The account is not the one in `expect`. Exit code 1.', 'Check credential and base URL.'],
  moved_from_empty: ['No resource is on the branch of `moved_from`.', 'Remove the key, or write `id:`.'],
  moved_from_without_place: ['`moved_from` of a replica is ambiguous.', 'Write `id:`.'],
  other_organization: ['The project is declared in another organization.', '`--org-id ID`.'],
  pin_other_name: ['A pinned key has another name.', 'Write its name, or remove the id.'],
  place_held: ['Another resource has the slot or name.', 'Adopt it with `id:`, or remove it.'],
  project_ambiguous: severalProjects,
  project_not_found: noProject,
  reference_ring: ['Changes depend on each other in a cycle.', 'Remove one reference, apply, add it again.'],
  ring: ['Moves form a cycle.', 'Write `lifecycle.via` on one, and ids.'],
  swapped: ['A restore gave the name to another branch.', 'Write the id that you mean; `trueup pin --fix`.'],
  unknown_project: noProject,
  unknown_type: ['This version does not know the type.', 'Upgrade trueup, or remove the entry.'],
  unlisted_successor: [
    'An unlisted resource may be an unfinished replacement.',
    'Write its id, or list it under `unmanaged_ok`.',
  ],
  unplanned: ['A project has an error of its own; the others continue.', 'Fix the error that the message names.'],
  unread: [
    'A part of the account could not be read.',
    'Run again. If it is refused, use a credential with access, or `--exclude`.',
  ],
};

const blocks: Readonly<Record<string, Entry>> = {
  allowance: [
    'Data would be deleted or access given, and no consent names it.',
    '`--allow drop:ADDRESS` to plan and to apply.',
  ],
  ambiguous: ['Several live resources fit the label.', '`trueup pin`, or write a unique `name`.'],
  clock_unknown: ['The time at the service is not known.', 'Set the wrong clock, plan again.'],
  consent: ['The change takes something away, and nobody consented.', 'Approve the plan, or `--allow ACTION:ADDRESS`.'],
  dependency: ['A change that it depends on is blocked.', 'Lift that block.'],
  immutable: ['The attribute cannot be changed.', 'Write the live value, or delete and re-create in two applies.'],
  max_change_percent: limit,
  max_deletes: limit,
  max_drops: limit,
  max_restarts: limit,
  move_or_create: [
    'An unlisted primary would be deleted while another is created.',
    '`moved_from:`, `id:` or `new: true`.',
  ],
  name_differs: [
    'The id of a removal belongs to a resource of another name.',
    'Correct id or name, or `--allow` its id.',
  ],
  not_due: ['The clock drives the change.', '`trueup apply --due`.'],
  not_idle: ['The resource was used within `safety.drop.unless_idle`.', 'Stop its use and wait.'],
  protect: ['The resource, or one deleted with it, is protected.', 'Remove the protection.'],
  refused: ['The service would refuse the change now.', 'Do what the note says first.'],
  rename_or_create: ['One is created while another is dropped.', '`renamed_from:` or `new: true`.'],
  secret_missing: ['A new secret has no sink.', 'Write `secret:`.'],
  self: ['The key may be the one of this run.', 'Use another credential.'],
  sink_unfillable: ['Only a new secret fills the sink.', '`--allow restart:ADDRESS`.'],
  sink_unusable: ['A sink cannot be used.', 'Fix it, or name another.'],
  stale_pin: ['A protected or doubtful resource has a stale pin.', '`trueup pin --fix`.'],
  unread: ['The operation log could not be read.', 'Plan again later.'],
  vanished: ['It was deleted outside trueup; a new one is empty.', 'Recover it, or `--allow recreate:ADDRESS`.'],
  window: ['No safety window is open.', 'Apply within a window.'],
};

const warnings: Readonly<Record<string, Entry>> = {
  accepted_and_declared: ['`unmanaged_ok` lists a declared resource.', 'Remove one of the two.'],
  age_unknown: ['The service does not show the age, so nothing is rotated.', 'Rotate by hand with `not_before`.'],
  allow_unused: ['An `--allow` covers no planned change.', 'Correct its address.'],
  base_unusable: ['The files of `--compare-with` cannot be used.', 'Fix them; until then every change counts as new.'],
  blocked: ['One change is blocked (exit 5).', 'See [blocks](#blocks).'],
  clock_unknown: ['The time at the service is not known, so clock-driven changes are blocked.', 'Set the wrong clock.'],
  expired: ['The time in `expires_at` is past.', 'Remove the entry, or write a later time.'],
  interchangeable: ['New replicas have no name or pin.', '`trueup pin`.'],
  last_operation_failed: [
    'The last change of the resource failed, and the file has nothing to send again.',
    'Declare an attribute.',
  ],
  limit_exceeded: ['A safety limit is exceeded; nothing is written (exit 5).', '`--target`, or raise the limit.'],
  many_keys: ['The account has many keys.', 'Revoke unused keys.'],
  name_differs: ['The file gives a pinned project another name.', 'Write the live name, or `renamed_from`.'],
  name_unread: ['A project name could not be read, so every pattern protects it.', 'Fix the access.'],
  names_missing: ['Terraform entries without a usable name get a generated one.', 'Rename the label.'],
  names_not_live: ["Terraform's state has resources that the account lacks.", 'Check the credential.'],
  newer_namesake: ['A newer key has the same name.', 'Write the id, or revoke one.'],
  not_imported: ['A resource is left out of the import.', 'See the reason in the message.'],
  not_pinned: ['An id could not be written.', 'Write it by hand.'],
  not_settled: ['A plan of the imported file is not empty.', 'Run `trueup plan`, correct the file.'],
  not_shown: ['The credential has no access to a part.', 'Import with another credential.'],
  parent_not_selected: ['The parent does not exist and is not selected.', 'Add it to `--target`.'],
  plan_limit: ['The plan of the account may allow no more.', 'Delete one, or upgrade the plan.'],
  prune_of_everything: ['`prune` would delete all; nothing is pruned.', 'List the resources to keep.'],
  reparented: ['A restore changed the parent.', 'Write the present parent.'],
  restart_evidence_missing: ['The last start is not known.', 'Restart by hand, or remove `restart`.'],
  retiring_key_in_use: ['A retiring key is still used.', 'Update the consumer.'],
  shared_password: ['A copied branch keeps the passwords of its parent.', 'Protect the parent, or rotate.'],
  stale_pin: ['A pinned id no longer exists.', '`trueup pin --fix`, or correct the id.'],
  start_failed: ['The last start of a compute failed.', 'Connect to it; else delete and re-create it.'],
  unfinished: ['A branch was never finished.', 'Delete and create it again.'],
  unlisted_primary: unlisted,
  unlisted_holder: unlisted,
  unused_keys: ['Keys were not used for 90 days.', 'Revoke them.'],
  upkeep_unknown: ['Secret syncs and renewals could not be planned.', 'Run again.'],
};

const ERRORS = 'An error belongs to its project. The other projects continue, and the exit code is 3.';
const HELD = 'A block keeps one change, and the changes that depend on it, from running. Exit code 5.';

export const account: readonly Group[] = [
  { title: 'Account', intro: ERRORS, entries: errors },
  { title: 'Blocks', intro: HELD, entries: blocks },
  { title: 'Warnings', intro: 'Warnings alone do not change the exit code.', entries: warnings },
];
