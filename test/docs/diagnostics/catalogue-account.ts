// Codes of the account, of blocks, and of warnings: the live state shows the problem.
import type { Entry, Group } from './catalogue.ts';

const severalProjects: Entry = ['Write the `id:`; several projects have this name.'];
const noProject: Entry = [
  'The account has no such project.',
  'Check the name, the id and the account. To create the project, write `create:`.',
];
const limit: Entry = [
  'The plan exceeds this safety limit, so nothing is written.',
  'Plan fewer resources with `--target`, give `--allow`, or raise the limit.',
];
const unlisted: Entry = [
  'The plan creates a resource, but an unlisted resource may be the one that you mean.',
  'Write `moved_from:`, `id:` or `new: true`.',
];

const errors: Readonly<Record<string, Entry>> = {
  ambiguous_project: severalProjects,
  both_names_live: [
    'The old and the new name of a rename both exist.',
    'Remove `renamed_from`, or declare both resources.',
  ],
  branch_not_found: ['Correct the label or id; the project has no such branch.'],
  cannot_change: ['Write the live value of an attribute that cannot change.'],
  cannot_create: ['Write the missing key, which is needed for creation.'],
  claimed_twice: ['Two entries match the same live resource.', 'Remove `id` or `moved_from` from one of the entries.'],
  crowded_place: [
    'The account has two resources where only one is allowed.',
    'Delete one of the two resources by hand.',
  ],
  expectation_failed: [
    'The account or base URL differs from `expect`. The exit code is 1.',
    'Check the API key and the base URL.',
  ],
  moved_from_empty: ['The branch of `moved_from` has no primary.', 'Remove `moved_from`, or write `id:`.'],
  moved_from_without_place: ['Write the `id:` of the replica; `moved_from` cannot identify replicas.'],
  other_organization: ['Give `--org-id ID` of the organization in the file.'],
  pin_other_name: ['The key with this `id` has another name.', 'Write the name of that key, or remove the `id`.'],
  place_held: [
    'Another resource already has the name, or is already the primary of the branch.',
    'Manage that resource by its `id:`, or remove it.',
  ],
  project_ambiguous: severalProjects,
  project_not_found: noProject,
  reference_ring: [
    'Changes depend on each other in a cycle.',
    'Remove one reference, apply, and add the reference again.',
  ],
  ring: ['Moves form a cycle.', 'Write the `id` of each compute, and `lifecycle.via` for one of them.'],
  swapped: [
    'After a restore, another branch has the name of the pinned branch.',
    'Write the id of the branch that you mean, or run `trueup pin --fix`.',
  ],
  unknown_project: noProject,
  unknown_type: ['Upgrade trueup, which does not know this type yet, or remove the entry.'],
  unlisted_successor: [
    'An unlisted resource may be an unfinished replacement.',
    'Write the id of that resource, or list the id under `unmanaged_ok`.',
  ],
  unplanned: ['Fix the error of this project; the other projects continue.'],
  unread: [
    'A part of the account could not be read.',
    'Run trueup again. If access was refused, use a key with access, or `--exclude`.',
  ],
};

const blocks: Readonly<Record<string, Entry>> = {
  allowance: [
    'The change deletes data or changes access, and no consent names the resource.',
    'Give the `--allow` that the message shows to `plan` and to `apply`.',
  ],
  ambiguous: ['Several live resources fit the label.', 'Run `trueup pin`, or write a unique `name`.'],
  clock_unknown: ['The time of the service is not known.', 'Set the clock of your machine, and plan again.'],
  consent: ['The change needs consent.', 'Approve the plan, or give `--allow ACTION:ADDRESS`.'],
  dependency: ['First resolve the block of the change on which this change depends.'],
  immutable: [
    'An attribute cannot be changed.',
    'Write the live value, or delete and re-create the resource in two applies.',
  ],
  max_change_percent: limit,
  max_deletes: limit,
  max_drops: limit,
  max_restarts: limit,
  move_or_create: [
    'The plan would delete an unlisted primary and create another primary.',
    'Write `moved_from:`, `id:` or `new: true`.',
  ],
  name_differs: [
    'The `id` of a resource to delete belongs to a resource of another name.',
    'Correct the id or the name, or give an `--allow` with the id.',
  ],
  not_due: ['Run `trueup apply --due`; this change depends on time.'],
  not_idle: [
    'The resource was used within the time of `safety.drop.unless_idle`.',
    'Stop using the resource, and wait for that time.',
  ],
  protect: ['Remove the protection of the resource, or of a resource that is deleted with it.'],
  refused: ['First do what the message says; the service would refuse the change now.'],
  rename_or_create: [
    'The plan would delete a branch or database and create another one.',
    'Write `renamed_from:` or `new: true`.',
  ],
  secret_missing: ['Write `secret:` with a sink for the new secret.'],
  self: ['The key to revoke may be the key that the run itself uses.', 'Run trueup with another API key.'],
  sink_unfillable: [
    'The sink has no secret, and the service does not show the secret again.',
    'To create a new secret, give `--allow restart:ADDRESS`.',
  ],
  sink_unusable: ['Fix the sink, or name another sink.'],
  stale_pin: [
    'The `id` in the file no longer exists, and the resource is protected or ambiguous.',
    'Run `trueup pin --fix`.',
  ],
  unread: ['The operation log could not be read.', 'Run `trueup plan` again later.'],
  vanished: [
    'The resource was deleted outside trueup, and a new one would be empty.',
    'Recover the resource, or give `--allow recreate:ADDRESS`.',
  ],
  window: ['Run `trueup apply` while a window of `safety` is open.'],
};

const warnings: Readonly<Record<string, Entry>> = {
  accepted_and_declared: [
    '`unmanaged_ok` lists a declared resource.',
    'Remove its id from `unmanaged_ok`, or remove the entry.',
  ],
  age_unknown: [
    'The service does not show the age of a secret, so the secret is not rotated.',
    'Rotate the secret with `not_before`.',
  ],
  allow_unused: ['Correct the address of an `--allow` that matches no change.'],
  base_unusable: ['Fix the files of `--compare-with`; until then, every change counts as new.'],
  blocked: ['A change is blocked (exit code 5). See [blocks](#blocks).'],
  clock_unknown: [
    'The time of the service is not known, so due changes are blocked.',
    'Set the clock of your machine.',
  ],
  expired: ['Remove the entry, or write a later `expires_at`.'],
  interchangeable: ['Run `trueup pin` for new replicas without a name and an id.'],
  last_operation_failed: [
    'The last change of a resource failed, and the file declares no attribute to send again.',
    'Declare an attribute of the resource.',
  ],
  limit_exceeded: [
    'The plan exceeds a limit of `safety`, so nothing is changed (exit code 5).',
    'Use `--target`, or raise the limit.',
  ],
  many_keys: ['Revoke unused keys of the account.'],
  name_differs: [
    'The file gives a pinned project another name.',
    'Write the live name of the project, or `renamed_from`.',
  ],
  name_unread: [
    'Give the API key access to the project. While its name is unknown, every pattern protects the project.',
  ],
  names_missing: ['Rename the label that the import has generated.'],
  names_not_live: ["Terraform's state has resources that the account does not have.", 'Check the API key.'],
  newer_namesake: ['A newer key has the same name.', 'Write the id of the key that you mean, or revoke one key.'],
  not_imported: ['The import leaves out a resource, for the reason in the message.'],
  not_pinned: ['Write the id by hand; trueup could not write it into the file.'],
  not_settled: ['The plan of an imported file is not empty.', 'Run `trueup plan`, and correct the file.'],
  not_shown: ['Import with an API key that has access to the whole account.'],
  parent_not_selected: [
    'The parent of a selected resource does not exist, and `--target` does not select the parent.',
    'Add the parent to `--target`.',
  ],
  plan_limit: [
    'The subscription plan of the account may not allow more resources of this kind.',
    'Delete a resource, or change the subscription plan.',
  ],
  prune_of_everything: ['List the resources to keep; `prune` deletes nothing as long as it would delete all.'],
  reparented: ['Write the present parent, which a restore has changed.'],
  restart_evidence_missing: [
    'The last start of a compute is not known.',
    'Restart the compute by hand, or remove `restart`.',
  ],
  retiring_key_in_use: ['Give the new key to the client that still uses the old key.'],
  shared_password: [
    'A copied branch keeps the passwords of its parent.',
    'Protect the parent, or rotate the passwords of the copy.',
  ],
  stale_pin: ['The resource of an `id` no longer exists.', 'Run `trueup pin --fix`, or correct the id.'],
  start_failed: [
    'The last start of a compute failed.',
    'Connect to the compute. If the compute does not start, delete and re-create it.',
  ],
  unfinished: ['Delete the branch, whose creation never finished, and create it again.'],
  unlisted_primary: unlisted,
  unlisted_holder: unlisted,
  unused_keys: ['Revoke keys that no client has used for 90 days.'],
  upkeep_unknown: ['Run trueup again; secret syncs and TTL renewals could not be planned.'],
};

const ERRORS = 'An error stops only its project. The other projects continue, and the exit code is 3.';
const HELD = 'A block stops one change, and the changes that depend on that change. The exit code is 5.';

export const account: readonly Group[] = [
  { title: 'Account', intro: ERRORS, entries: errors },
  { title: 'Blocks', intro: HELD, entries: blocks },
  { title: 'Warnings', intro: 'Warnings alone do not change the exit code.', entries: warnings },
];
