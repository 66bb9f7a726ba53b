// Codes of the account, of blocks, and of warnings: the live state shows the problem.
import type { Entry, Group } from './catalogue.ts';

const severalProjects: Entry = ['Several projects of the account have this name.', 'Write the `id:` of the project.'];
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
  branch_not_found: ['The project has no such branch.', 'Correct the label or the id of the branch.'],
  cannot_change: ['An attribute cannot be changed after creation.', 'Write the live value of the attribute.'],
  cannot_create: ['A key that is needed for creation is missing.', 'Write the missing key.'],
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
  moved_from_without_place: ['`moved_from` cannot identify a replica.', 'Write the `id:` of the replica.'],
  other_organization: ['The project belongs to another organization than the file says.', 'Give `--org-id ID`.'],
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
  unknown_type: ['This version of trueup does not know the type.', 'Upgrade trueup, or remove the entry.'],
  unlisted_successor: [
    'An unlisted resource may be an unfinished replacement.',
    'Write the id of that resource, or list the id under `unmanaged_ok`.',
  ],
  unplanned: ['A project has an error; the other projects continue.', 'Fix the error that the message names.'],
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
  dependency: ['The change depends on another change, which is blocked.', 'Resolve the block of that other change.'],
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
  not_due: ['The change depends on time, and runs only on request.', 'Run `trueup apply --due`.'],
  not_idle: [
    'The resource was used within the time of `safety.drop.unless_idle`.',
    'Stop using the resource, and wait for that time.',
  ],
  protect: ['The resource, or a resource that is deleted with it, is protected.', 'Remove the protection.'],
  refused: ['The service would refuse the change now.', 'First do what the message says.'],
  rename_or_create: [
    'The plan would delete a branch or database and create another one.',
    'Write `renamed_from:` or `new: true`.',
  ],
  secret_missing: ['A new secret has no sink.', 'Write `secret:` with a sink.'],
  self: ['The key to revoke may be the key that the run itself uses.', 'Run trueup with another API key.'],
  sink_unfillable: [
    'The sink has no secret, and the service does not show the secret again.',
    'To create a new secret, give `--allow restart:ADDRESS`.',
  ],
  sink_unusable: ['A sink cannot be used.', 'Fix the sink, or name another sink.'],
  stale_pin: [
    'The `id` in the file no longer exists, and the resource is protected or ambiguous.',
    'Run `trueup pin --fix`.',
  ],
  unread: ['The operation log could not be read.', 'Run `trueup plan` again later.'],
  vanished: [
    'The resource was deleted outside trueup, and a new one would be empty.',
    'Recover the resource, or give `--allow recreate:ADDRESS`.',
  ],
  window: ['No maintenance window of `safety` is open.', 'Run `trueup apply` within a window.'],
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
  allow_unused: ['An `--allow` matches no planned change.', 'Correct the address of the `--allow`.'],
  base_unusable: ['The files of `--compare-with` cannot be used, so every change counts as new.', 'Fix the files.'],
  blocked: ['A change is blocked (exit code 5).', 'See [blocks](#blocks).'],
  clock_unknown: [
    'The time of the service is not known, so due changes are blocked.',
    'Set the clock of your machine.',
  ],
  expired: ['The time in `expires_at` is past.', 'Remove the entry, or write a later `expires_at`.'],
  interchangeable: ['New replicas have neither a name nor an id in the file.', 'Run `trueup pin`.'],
  last_operation_failed: [
    'The last change of a resource failed, and the file declares no attribute to send again.',
    'Declare an attribute of the resource.',
  ],
  limit_exceeded: [
    'The plan exceeds a limit of `safety`, so nothing is changed (exit code 5).',
    'Use `--target`, or raise the limit.',
  ],
  many_keys: ['The account has many keys.', 'Revoke unused keys.'],
  name_differs: [
    'The file gives a pinned project another name.',
    'Write the live name of the project, or `renamed_from`.',
  ],
  name_unread: [
    'A project name could not be read, so every pattern protects it.',
    'Give the API key access to the project.',
  ],
  names_missing: ['Terraform entries without a usable name get a generated one.', 'Rename the generated label.'],
  names_not_live: ["Terraform's state has resources that the account does not have.", 'Check the API key.'],
  newer_namesake: ['A newer key has the same name.', 'Write the id of the key that you mean, or revoke one key.'],
  not_imported: ['A resource is left out of the import.', 'The message gives the reason.'],
  not_pinned: ['trueup could not write an id into the file.', 'Write the id by hand.'],
  not_settled: ['The plan of an imported file is not empty.', 'Run `trueup plan`, and correct the file.'],
  not_shown: ['The API key has no access to a part of the account.', 'Import with another key.'],
  parent_not_selected: [
    'The parent of a selected resource does not exist, and `--target` does not select the parent.',
    'Add the parent to `--target`.',
  ],
  plan_limit: [
    'The subscription plan of the account may not allow more resources of this kind.',
    'Delete a resource, or change the subscription plan.',
  ],
  prune_of_everything: [
    '`prune` would delete all resources, so nothing is pruned.',
    'List the resources to keep in the file.',
  ],
  reparented: ['A restore changed the parent of a branch.', 'Write the present parent into the file.'],
  restart_evidence_missing: [
    'The last start of a compute is not known.',
    'Restart the compute by hand, or remove `restart`.',
  ],
  retiring_key_in_use: ['A client still uses an old key that must be revoked.', 'Give that client the new key.'],
  shared_password: [
    'A copied branch keeps the passwords of its parent.',
    'Protect the parent, or rotate the passwords of the copy.',
  ],
  stale_pin: ['The resource of an `id` no longer exists.', 'Run `trueup pin --fix`, or correct the id.'],
  start_failed: [
    'The last start of a compute failed.',
    'Connect to the compute. If it does not start, delete and re-create it.',
  ],
  unfinished: ['The creation of a branch never finished.', 'Delete the branch and create it again.'],
  unlisted_primary: unlisted,
  unlisted_holder: unlisted,
  unused_keys: ['Some keys were not used for 90 days.', 'Revoke the unused keys.'],
  upkeep_unknown: ['Secret syncs and TTL renewals could not be planned.', 'Run trueup again.'],
};

const ERRORS = 'An error stops only its project. The other projects continue, and the exit code is 3.';
const HELD = 'A block stops one change, and the changes that depend on that change. The exit code is 5.';

export const account: readonly Group[] = [
  { title: 'Account', intro: ERRORS, entries: errors },
  { title: 'Blocks', intro: HELD, entries: blocks },
  { title: 'Warnings', intro: 'Warnings alone do not change the exit code.', entries: warnings },
];
