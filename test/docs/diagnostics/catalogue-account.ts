// Codes of the account, of blocks, and of warnings: the live state shows the problem.
import type { Entry, Group } from './catalogue.ts';

const severalProjects: Entry = ['Write the `id:`; several projects have this name.'];
const noProject: Entry = ['The account has no such project. Correct the name or id, or write `create:`.'];
const limit: Entry = [
  'The plan exceeds this limit, so nothing is written.',
  'Use `--target`, give `--allow`, or raise the limit.',
];
const unlisted: Entry = [
  'An unlisted live resource may be the one that you mean.',
  'Write `moved_from:`, `id:` or `new: true`.',
];

const errors: Readonly<Record<string, Entry>> = {
  ambiguous_project: severalProjects,
  both_names_live: ['Remove `renamed_from`, or declare both resources: the old and the new name exist.'],
  branch_not_found: ['Correct the label or id of the branch.'],
  cannot_change: ['Write the live value; the attribute cannot change.'],
  cannot_create: ['Write the missing key, which the service needs to create the resource.'],
  claimed_twice: ['Remove `id` or `moved_from` from one of two entries that match the same resource.'],
  crowded_place: ['The account has two resources where the service allows only one. Delete one of the two by hand.'],
  expectation_failed: [
    'The account or base URL differs from `expect` (exit code 1). Check the API key and the base URL.',
  ],
  moved_from_empty: ['Remove `moved_from`, or write `id:`; the branch of `moved_from` has no primary.'],
  moved_from_without_place: ['Write the `id:` of the replica; `moved_from` finds primaries only.'],
  other_organization: ['The file names another organization. Give `--org-id` with the id in the file.'],
  pin_other_name: ['Write the name that the key with this `id` has in the account, or remove the `id`.'],
  place_held: ['Another resource has the name or the slot. Write the `id:` of this resource, or delete this resource.'],
  project_ambiguous: severalProjects,
  project_not_found: noProject,
  reference_ring: ['Remove one reference, apply, and add it again: changes depend on each other in a cycle.'],
  ring: ['Moves form a cycle. Write the `id` of each compute, and `lifecycle.via` for one of them.'],
  swapped: ['Another branch has the name of the pinned branch. Write the id that you mean, or run `trueup pin --fix`.'],
  unknown_project: noProject,
  unknown_type: ['Upgrade trueup, which does not know this type, or remove the entry.'],
  unlisted_successor: [
    'An unlisted resource may be an unfinished replacement. Write its id in the entry, or under `unmanaged_ok`.',
  ],
  unplanned: ['Fix the error of this project. trueup plans the other projects.'],
  unread: ['Run trueup again. If the service refused access, use a key with access, or give `--exclude`.'],
};

const blocks: Readonly<Record<string, Entry>> = {
  allowance: ['Give the `--allow` that the message shows to `plan` and to `apply`; a reviewed plan is not enough.'],
  ambiguous: ['Run `trueup pin`, or write a unique `name`: several live resources fit the label.'],
  clock_unknown: ['Set the clock of your machine, and plan again.'],
  consent: ['The change needs consent.', 'Approve the plan, or give `--allow ACTION:ADDRESS`.'],
  dependency: ['Another change, on which this change depends, is blocked. First lift the other block.'],
  immutable: ['Write the live value, or delete and re-create the resource in two applies.'],
  max_change_percent: limit,
  max_deletes: limit,
  max_drops: limit,
  max_restarts: limit,
  move_or_create: [
    'Write `moved_from:`, `id:` or `new: true`: a new primary may be the primary that the plan deletes.',
  ],
  name_differs: ['Correct the id or the name of the resource to delete, or give an `--allow` with the id.'],
  not_due: ['Run `trueup apply --due`.'],
  not_idle: ['Wait until the resource is unused for the time of `safety.drop.unless_idle`.'],
  protect: ['Remove the protection of the resource, or of a resource that is deleted with it.'],
  refused: ['The service would refuse the change now. The message says what to do first.'],
  rename_or_create: ['Write `renamed_from:` or `new: true`: a new resource may be the resource that the plan deletes.'],
  secret_missing: ['Write `secret:` with a sink for the new secret.'],
  self: ['The key to revoke may be the key with which trueup runs. Run trueup with another API key.'],
  sink_unfillable: [
    'The service does not show the secret again. To create a new secret, give `--allow restart:ADDRESS`.',
  ],
  sink_unusable: ['Fix the sink, or name another sink.'],
  stale_pin: ['The `id` in the file no longer exists. Run `trueup pin --fix`.'],
  unread: ['trueup could not read the operation log. Run `trueup plan` again later.'],
  vanished: ['The resource was deleted outside trueup. Recover it, or give `--allow recreate:ADDRESS`.'],
  window: ['Run `trueup apply` while a window of `safety` is open.'],
};

const warnings: Readonly<Record<string, Entry>> = {
  accepted_and_declared: ['Remove the entry, or remove its id from `unmanaged_ok`.'],
  age_unknown: ['Rotate the secret with `not_before`; the service does not show its age.'],
  allow_unused: ['Correct the address of an `--allow` that matches no change.'],
  base_unusable: ['Fix the files of `--compare-with`; until then, every change counts as new.'],
  blocked: ['A change is blocked (exit code 5). See [blocks](#blocks).'],
  clock_unknown: ['Set the clock of your machine; until then, due changes are blocked.'],
  expired: ['Remove the entry, or write a later `expires_at`.'],
  interchangeable: ['Run `trueup pin`: the new replicas have no name in the account and no id in the file.'],
  last_operation_failed: ['Declare an attribute of the resource, so that trueup can send the failed change again.'],
  limit_exceeded: ['The plan exceeds a limit of `safety` (exit code 5). Use `--target`, or raise the limit.'],
  name_differs: ['Write the live name of the pinned project, or `renamed_from`.'],
  name_unread: ['Give the API key access to the project. Until then, every pattern protects the project.'],
  names_missing: ['The import generated a label. Choose a better label.'],
  names_not_live: ["Check the API key: Terraform's state has resources that the account does not have."],
  newer_namesake: ['Write the `id` that you mean, or revoke one key: a newer key has the same name.'],
  not_imported: ['The import leaves out a resource, for the reason in the message.'],
  not_pinned: ['Write the id by hand; trueup could not write it into the file.'],
  not_settled: ['The plan of the imported file is not empty. Correct the file as the plan shows.'],
  not_shown: ['Import with an API key that has access to the whole account.'],
  parent_not_selected: ['Add the missing parent of a selected resource to `--target`.'],
  prune_of_everything: ['List the resources to keep; `prune` never deletes all.'],
  reparented: ['A restore changed the parent of the branch. Write the present parent.'],
  restart_evidence_missing: ['Restart the compute by hand, or remove `restart`: the last start is not known.'],
  retiring_key_in_use: ['Clients still use the old key. Give these clients the new key.'],
  shared_password: ['Protect the parent, or rotate the passwords of the copied branch.'],
  stale_pin: ['The `id` in the file no longer exists. Run `trueup pin --fix`.'],
  start_failed: ['Connect to the compute. If it does not start, delete and re-create it.'],
  unfinished: ['The creation of the branch never finished. Delete the branch, and create it again.'],
  unlisted_primary: unlisted,
  unlisted_holder: unlisted,
  upkeep_unknown: ['trueup could not plan secret syncs and TTL renewals. Run trueup again.'],
};

const ERRORS = 'An error stops only its project. The exit code is 3.';
const HELD = 'A block stops one change, and all changes that depend on it. The exit code is 5.';

export const account: readonly Group[] = [
  { title: 'Account', intro: ERRORS, entries: errors },
  { title: 'Blocks', intro: HELD, entries: blocks },
  { title: 'Warnings', intro: 'Warnings alone do not change the exit code.', entries: warnings },
];
