// Codes of files, variables and declarations: the files alone show the problem.
import type { Entry, Group } from './catalogue.ts';

const bound: Entry = ['The files exceed a limit, which the message names. Split or shorten the files.'];
const character: Entry = ['Remove the character that is not allowed.'];
const path: Entry = ['Give the path of a plain file that trueup can read.'];
const directive: Entry = ['Remove the YAML tag or directive.'];
const alias: Entry = ['Define the anchor before the alias or merge key that uses it.'];
const value: Entry = ['Write a name or value that the message allows.'];
const both: Entry = ['Keep only one of the two keys, because they exclude each other.'];
const equal: Entry = ['Remove one of two equal entries.'];
const reference: Entry = ['Refer to another resource of the same project, whose entry has no `state: absent`.'];
const reserved: Entry = ['Choose another name; this name is reserved.'];
const unknown: Entry = ['Write the key that the message suggests, or run `trueup explain`.'];

const reading: Readonly<Record<string, Entry>> = {
  bidi_character: character,
  control_character: character,
  empty_file: ['Write `version: 1`, or run `trueup init`.'],
  encoding: ['Save the file as UTF-8.'],
  file_not_found: path,
  file_too_large: bound,
  file_unreadable: path,
  files_too_large: bound,
  no_files: ['Name another path with `-f`; the folder has no `*.yaml` or `*.yml` file.'],
  not_a_file: path,
  outside_folder: path,
  saved_plan: ['The file is a saved plan. Run `trueup apply PLAN` or `trueup show PLAN`.'],
  too_complex: bound,
  too_deep: bound,
  too_long: bound,
  too_many_entries: ['Split the files, or raise `--max-entries`.'],
  too_many_files: bound,
  too_many_problems: ['The files have more problems than trueup lists. Fix the listed problems, and run trueup again.'],
};

const yaml: Readonly<Record<string, Entry>> = {
  alias_expansion: bound,
  custom_tag: directive,
  duplicate_key: ['Remove one of two equal keys of a mapping.'],
  empty_key: ['Write the missing key before the colon.'],
  leading_zero: ['Remove zeros at the beginning of the number, or quote the number.'],
  merge_key: alias,
  not_a_mapping: ['Begin the file with `version: 1`.'],
  recursive_alias: alias,
  several_documents: ['Put each YAML document into its own file.'],
  tab_indent: ['Indent the line with spaces instead of tabs.'],
  unknown_anchor: alias,
  yaml_directive: directive,
  yaml_syntax: ['Fix the YAML in the line that the message marks.'],
  yaml_version: directive,
};

const variables: Readonly<Record<string, Entry>> = {
  null_variable: ['Quote the variable, or give it another value than null.'],
  unknown_template: ['Write `${var:NAME}` for a variable, or `$${` for a literal `${`.'],
  variable_expansion: bound,
  variable_file: ['Give `--var-file` a JSON object, such as the output of `terraform output -json`.'],
  variable_in_key: ['Use the variable in a value instead of a key.'],
  variable_not_scalar: ['Give the variable a single value instead of a list or an object.'],
  variable_sensitive: ['Use a Terraform output that is not marked as sensitive.'],
  variable_unset: ['Give the variable a value (`--var NAME=VALUE`), or a default in the file.'],
};

const values: Readonly<Record<string, Entry>> = {
  bad_address: value,
  bad_duration: value,
  bad_hold: value,
  bad_label: value,
  bad_name: value,
  bad_prune: value,
  bad_sink: ['Write a file name inside the secrets folder.'],
  bad_window: value,
  confusable_name: ['Change one of the two names, because they look the same.'],
  incomplete_connection: ["Write the connection's missing `role`, `database` or `secret`."],
  invalid_time: ['Correct the day, the hour or the time zone.'],
  missing_key: ['Write the required key.'],
  network_around: [
    'Warning: the address is not the first one of its network. Write the first address, or remove `/N`.',
  ],
  out_of_range: value,
  refused_key: ['Remove the key; only the service can set it.'],
  reserved_label: reserved,
  reserved_name: reserved,
  secret_in_file: ['Remove the credential from the file, and revoke it.'],
  size_off_table: ['Warning: the service does not publish this size. Write a published size.'],
  unknown_attribute: unknown,
  unknown_key: unknown,
  window_unfinished: ['Write the missing weekdays, start or end of the window.'],
  wrong_length: value,
  wrong_type: value,
  wrong_value: value,
};

const declarations: Readonly<Record<string, Entry>> = {
  branch_twice: both,
  contradiction: both,
  default_false: ['Write `default: true` at another branch; `default: false` has no effect.'],
  duplicate_id: equal,
  duplicate_name: ['Rename one of two entries that have the same name in the account, or write `id:`.'],
  duplicate_project: ['Two entries name the same project. Remove one entry, or write the ids of two projects.'],
  duplicate_sink: equal,
  expect_differs: ['Write the same `expect` in all files.'],
  expiry_refused: ['Remove the expiry: a default, protected or parent branch cannot have an expiry.'],
  min_over_max: ['Change the sizes: the minimum is above the maximum.'],
  moved_twice: equal,
  overlap_too_long: ['Make `overlap` shorter than `every`.'],
  overlay_loosens: ['An overlay may not raise a limit. Write a limit that is not above the limit in the other file.'],
  parent_ring: ['The parents of branches form a cycle. Give one of these branches another parent.'],
  profile_expansion: bound,
  prune_needs_expect: ['Write `expect: { has_project: ID }`.'],
  prune_of_first_primary: ['Declare the primary of the new project, or remove `prune`.'],
  reference_across_projects: reference,
  reference_to_absent: reference,
  reference_to_itself: reference,
  rotate_needs_secret: ['Write `secret:`; `rotate` needs a sink for the new key.'],
  shared_sink: ['Give each secret a sink of its own.'],
  two_defaults: ['Remove `default: true` from all branches but one.'],
  two_primaries: ['A branch can have only one primary. Write `type: read_only` in one of the two entries.'],
  unknown_branch: ['Write a label or id of a branch; `trueup list --tree` shows all branches.'],
  unknown_profile: ['Correct the name of the profile; no file declares it.'],
  unknown_reference: ['Declare the resource to which another resource refers.'],
  unknown_referent: ['Declare the role or database, or correct its name.'],
  written_twice: ['Two files set the same attribute. Remove one of the values, or give one file with `--overlay`.'],
};

const INTRO = 'The exit code is 1, and no request is sent.';

export const files: readonly Group[] = [
  { title: 'Files', intro: INTRO, entries: { ...reading, ...yaml, ...variables } },
  { title: 'Declarations', intro: 'The exit code is 1, except for warnings.', entries: { ...values, ...declarations } },
];
