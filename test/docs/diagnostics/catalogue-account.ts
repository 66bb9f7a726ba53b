// Codes of the account, of blocks, and of warnings: the live state shows the problem.
import type { Entry, Group } from './catalogue.ts';

const severalProjects: Entry = ['Write the `id:` of one project.'];
const noProject: Entry = ['Correct the name or id of the project, or write `create:`.'];
const limit: Entry = ['Use `--target`, give `--allow`, or raise the limit.'];
const unlisted: Entry = ['Write `moved_from:`, `id:` or `new: true`.'];

const errors: Readonly<Record<string, Entry>> = {
  ambiguous_project: severalProjects,
  both_names_live: ['Remove `renamed_from`.'],
  branch_not_found: ['Correct the label or id of the branch.'],
  cannot_change: ['Write the live value.'],
  cannot_create: ['Write the missing key.'],
  claimed_twice: ['Remove `id` or `moved_from` from one of the two entries.'],
  crowded_place: ['Delete one of the two resources by hand.'],
  expectation_failed: ['Check the API key and the base URL (exit code 1).'],
  moved_from_empty: ['Remove `moved_from`, or write `id:`.'],
  moved_from_without_place: ['Write the `id:` of the replica.'],
  other_organization: ['Give `--org-id` with the id in the file.'],
  pin_other_name: ['Write the live name of the key, or remove the `id`.'],
  place_held: ['Write the `id:` of the resource that has the name or slot, or delete the resource.'],
  project_ambiguous: severalProjects,
  project_not_found: noProject,
  reference_ring: ['Remove one reference, apply, and add the reference again.'],
  ring: ['[Swap the primaries](../guides/move-or-swap-a-compute.md#swap-two-primaries) with `lifecycle.via`.'],
  swapped: ['Write the id of the branch that you mean, or run `trueup pin --fix`.'],
  unknown_project: noProject,
  unknown_type: ['Upgrade trueup.'],
  unlisted_successor: ['Write the id of the unlisted resource in the entry or under `unmanaged_ok`.'],
  unplanned: ['Fix the error of this project.'],
  unread: ['See [A project was not read](../guides/runbook.md#a-project-was-not-read).'],
};

const blocks: Readonly<Record<string, Entry>> = {
  allowance: ['Give the `--allow` that the message shows to `plan` and to `apply`.'],
  ambiguous: ['Run `trueup pin`, or write a unique `name`.'],
  clock_unknown: ['Set the clock of your machine.'],
  consent: ['Approve the plan, or give `--allow ACTION:ADDRESS`.'],
  dependency: ['Lift the block of the other change.'],
  immutable: ['Write the live value, or delete and re-create the resource in two applies.'],
  max_change_percent: limit,
  max_deletes: limit,
  max_drops: limit,
  max_restarts: limit,
  move_or_create: ['Write `moved_from:`, `id:` or `new: true`.'],
  name_differs: ['Correct the id or the name, or give an `--allow` with the id.'],
  not_due: ['Run `trueup apply --due`.'],
  not_idle: ['Wait for the time of `safety.drop.unless_idle`.'],
  protect: ['Remove the protection of the resource or of a resource below it.'],
  refused: ['First make the change that the message names.'],
  rename_or_create: ['Write `renamed_from:` or `new: true`.'],
  secret_missing: ['Write `secret:` with a sink for the new secret.'],
  foreign: ['Rename the branch, which trueup did not create for this set.'],
  list_in_doubt: [
    'Correct the list. Else, for a preview set, give `--allow drop:PROJECT/previews/SET/**`; for a retention rule, `--allow drop:ADDRESS` for each branch.',
  ],
  self: ['Run trueup with another API key.'],
  sink_unfillable: ['Give `--allow restart:ADDRESS`, which creates a new secret.'],
  sink_unusable: ['Fix the sink, or name another sink.'],
  stale_pin: ['Run `trueup pin --fix`; the `id` no longer exists.'],
  unread: ['Run trueup again later.'],
  vanished: ['[Recover the resource](../guides/delete-safely.md#recover), or give `--allow recreate:ADDRESS`.'],
  window: ['Run `trueup apply` while a window of `safety` is open.'],
};

const warnings: Readonly<Record<string, Entry>> = {
  accepted_and_declared: ['Remove the entry, or remove its id from `unmanaged_ok`.'],
  age_unknown: ['Rotate the secret with `not_before`.'],
  allow_unused: ['Correct the address of `--allow`.'],
  base_unusable: ['Fix the files of `--compare-with`.'],
  blocked: ['See [blocks](#blocks) (exit code 5).'],
  clock_unknown: ['Set the clock of your machine.'],
  expired: ['Remove the entry, or write a later `expires_at`.'],
  limit_exceeded: ['Use `--target`, or raise the limit of `safety` (exit code 5).'],
  name_differs: ['Write the live name of the project, or `renamed_from`.'],
  name_unread: ['Give the API key access to the project.'],
  names_missing: ['Choose a better label.'],
  names_not_live: ['Check the API key.'],
  newer_namesake: ['Write the `id` of the key, or revoke one of the two keys.'],
  not_imported: ['Read the reason in the message.'],
  not_pinned: ['Write the id by hand.'],
  not_settled: ['Correct the imported file as its plan shows.'],
  not_shown: ['Use an API key with access to the whole account.'],
  parent_not_selected: ['Add the parent to `--target`.'],
  prune_of_everything: ['List the resources to keep.'],
  reparented: ['Write the present parent.'],
  restart_evidence_missing: ['Restart the compute by hand, or remove `restart`.'],
  retiring_key_in_use: ['Give the new key to clients of the old key.'],
  shared_password: ['Protect the parent, or rotate the passwords of the copy.'],
  stale_pin: ['Run `trueup pin --fix`; the `id` no longer exists.'],
  start_failed: ['Connect to the compute. If it does not start, re-create it.'],
  unfinished: ['Delete the unfinished branch, and create it again.'],
  unlisted_primary: unlisted,
  unlisted_holder: unlisted,
  upkeep_unknown: ['Run trueup again.'],
};

const ERRORS = 'An error stops only its project. The exit code is 3.';
const HELD = 'A block stops one change, and all changes that depend on it. The exit code is 5.';

export const account: readonly Group[] = [
  { title: 'Account', intro: ERRORS, entries: errors },
  { title: 'Blocks', intro: HELD, entries: blocks },
  { title: 'Warnings', intro: 'Warnings alone do not change the exit code.', entries: warnings },
];
