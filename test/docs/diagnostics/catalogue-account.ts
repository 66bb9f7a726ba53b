// Codes of the account, of blocks, and of warnings: the live state shows the problem.
import type { Entry, Group } from './catalogue.ts';

const severalProjects: Entry = ['Write `id:`; several projects have this name.'];
const noProject: Entry = ['Correct the name or id of the project, or write `create:`.'];
const limit: Entry = ['Use `--target`, give `--allow`, or raise the limit, which blocks the whole plan.'];
const unlisted: Entry = ['Write `moved_from:`, `id:` or `new: true`: an unlisted live resource may fit the entry.'];

const errors: Readonly<Record<string, Entry>> = {
  ambiguous_project: severalProjects,
  both_names_live: ['Remove `renamed_from`: resources with the old and with the new name exist.'],
  branch_not_found: ['Correct the label or id of the branch.'],
  cannot_change: ['Write the live value; the attribute cannot change.'],
  cannot_create: ['Write the missing key, which the creation needs.'],
  claimed_twice: ['Remove `id` or `moved_from` from one of two entries that match the same resource.'],
  crowded_place: ['Delete one of two resources by hand: the service allows only one.'],
  expectation_failed: ['Check the API key and the base URL, which `expect` refuses (exit code 1).'],
  moved_from_empty: ['Remove `moved_from`, or write `id:`; the branch of `moved_from` has no primary.'],
  moved_from_without_place: ['Write the `id:` of the replica; `moved_from` finds primaries only.'],
  other_organization: ['Give `--org-id` with the id in the file.'],
  pin_other_name: ['Write the live name of the key with this `id`, or remove the `id`.'],
  place_held: ['Write the `id:` of the resource that has the name or slot, or delete that resource.'],
  project_ambiguous: severalProjects,
  project_not_found: noProject,
  reference_ring: ['Remove one reference of the cycle, apply, and add the reference again.'],
  ring: ['[Swap the primaries](../guides/move-or-swap-a-compute.md#swap-two-primaries) with `lifecycle.via`.'],
  swapped: ['Write the id of the branch that you mean, or run `trueup pin --fix`.'],
  unknown_project: noProject,
  unknown_type: ['Upgrade trueup, which does not know this type.'],
  unlisted_successor: [
    'Write the id of the unlisted resource, perhaps an unfinished replacement, in the entry or under `unmanaged_ok`.',
  ],
  unplanned: ['Fix the error of this project.'],
  unread: ['See [A project was not read](../guides/runbook.md#a-project-was-not-read).'],
};

const blocks: Readonly<Record<string, Entry>> = {
  allowance: ['Give the `--allow` that the message shows to `plan` and to `apply`.'],
  ambiguous: ['Run `trueup pin`, or write a unique `name`: several live resources fit the label.'],
  clock_unknown: ['Set the clock of your machine.'],
  consent: ['Approve the plan, or give `--allow ACTION:ADDRESS`.'],
  dependency: ['First lift the block of the other change.'],
  immutable: ['Write the live value, or delete and re-create the resource in two applies.'],
  max_change_percent: limit,
  max_deletes: limit,
  max_drops: limit,
  max_restarts: limit,
  move_or_create: ['Write `moved_from:`, `id:` or `new: true`, because the plan also deletes a primary.'],
  name_differs: ['Correct the id or the name, or give an `--allow` with the id.'],
  not_due: ['Run `trueup apply --due`.'],
  not_idle: ['Wait for the time of `safety.drop.unless_idle`.'],
  protect: ['Remove the protection of the resource or of a resource below it.'],
  refused: ['Make the change that the message names first.'],
  rename_or_create: ['Write `renamed_from:` or `new: true`, because the plan also deletes such a resource.'],
  secret_missing: ['Write `secret:` with a sink for the new secret.'],
  self: ['Run trueup with another API key than the key to revoke.'],
  sink_unfillable: ['Give `--allow restart:ADDRESS` to create a new secret; the service does not show the old one.'],
  sink_unusable: ['Fix the sink, or name another sink.'],
  stale_pin: ['Run `trueup pin --fix`; the `id` no longer exists.'],
  unread: ['Plan again later, when the operation log is readable.'],
  vanished: ['Recover the deleted resource, or give `--allow recreate:ADDRESS`.'],
  window: ['Run `trueup apply` while a window of `safety` is open.'],
};

const warnings: Readonly<Record<string, Entry>> = {
  accepted_and_declared: ['Remove the entry, or remove its id from `unmanaged_ok`.'],
  age_unknown: ['Rotate the secret with `not_before`; the service does not show its age.'],
  allow_unused: ['Correct the address of an `--allow` that matches no change.'],
  base_unusable: ['Fix the files of `--compare-with`.'],
  blocked: ['See [blocks](#blocks) (exit code 5).'],
  clock_unknown: ['Set the clock of your machine.'],
  expired: ['Remove the entry, or write a later `expires_at`.'],
  interchangeable: ['Run `trueup pin`, which gives the new replicas an id.'],
  last_operation_failed: ['Declare an attribute, so that trueup can send the failed change again.'],
  limit_exceeded: ['Use `--target`, or raise the limit of `safety` (exit code 5).'],
  name_differs: ['Write the live name of the pinned project, or `renamed_from`.'],
  name_unread: ['Give the API key access to the project, which every pattern protects until then.'],
  names_missing: ['Choose a better label than the generated one.'],
  names_not_live: ["Check the API key: resources in Terraform's state are not in the account."],
  newer_namesake: ['Write the `id` that you mean, or revoke one of two keys.'],
  not_imported: ['The message gives the reason.'],
  not_pinned: ['Write the id into the file by hand.'],
  not_settled: ['Correct the imported file as its plan shows.'],
  not_shown: ['Import with an API key that has access to the whole account.'],
  parent_not_selected: ['Add the missing parent of a selected resource to `--target`.'],
  prune_of_everything: ['List the resources to keep.'],
  reparented: ['Write the present parent, which a restore changed.'],
  restart_evidence_missing: ['Restart the compute by hand, or remove `restart`.'],
  retiring_key_in_use: ['Give clients of the old key the new key.'],
  shared_password: ['Protect the parent, or rotate the passwords of the copy.'],
  stale_pin: ['Run `trueup pin --fix`; the `id` no longer exists.'],
  start_failed: ['Connect to the compute. If it does not start, re-create it.'],
  unfinished: ['Delete the unfinished branch, and create it again.'],
  unlisted_primary: unlisted,
  unlisted_holder: unlisted,
  upkeep_unknown: ['Run trueup again to sync secrets and renew TTLs.'],
};

const ERRORS = 'An error stops only its project. The exit code is 3.';
const HELD = 'A block stops one change, and all changes that depend on it. The exit code is 5.';

export const account: readonly Group[] = [
  { title: 'Account', intro: ERRORS, entries: errors },
  { title: 'Blocks', intro: HELD, entries: blocks },
  { title: 'Warnings', intro: 'Warnings alone do not change the exit code.', entries: warnings },
];
