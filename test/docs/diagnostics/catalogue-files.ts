// Codes of files, variables and declarations: the files alone show the problem.
import type { Entry, Group } from './catalogue.ts';

const bound: Entry = ['The files exceed the bound in the message.', 'Split or shorten them, or raise `--max-entries`.'];
const character: Entry = ['A character is not allowed.', 'Remove it.'];
const path: Entry = ['The path is no readable plain file.', 'Name the real file.'];
const directive: Entry = ['YAML tags and directives are not accepted.', 'Remove it.'];
const alias: Entry = ['An alias or merge key names no anchor above it.', 'Correct the name.'];
const value: Entry = ['The name or value is not accepted here.', 'Write what the message expects.'];
const both: Entry = ['Two keys exclude each other.', 'Remove one.'];
const reserved: Entry = ['The service, Postgres or trueup reserves the name.', 'Choose another name.'];
const unknown: Entry = ['The key does not exist here.', 'Take the suggestion, or run `trueup explain`.'];

const reading: Readonly<Record<string, Entry>> = {
  bidi_character: character,
  control_character: character,
  empty_file: ['The file has no configuration.', 'Write `version: 1`, or run `trueup init`.'],
  encoding: ['The file is not valid UTF-8.', 'Save it as UTF-8.'],
  file_not_found: path,
  file_too_large: bound,
  file_unreadable: path,
  files_too_large: bound,
  no_files: ['A folder has no `*.yaml` or `*.yml` file.', 'Name another path with `-f`.'],
  not_a_file: path,
  outside_folder: path,
  saved_plan: ['The file is a saved plan.', '`trueup apply PLAN` or `trueup show PLAN`.'],
  too_complex: bound,
  too_deep: bound,
  too_long: bound,
  too_many_entries: bound,
  too_many_files: bound,
  too_many_problems: ['Over 1,000 problems; more are not listed.', 'Fix these first.'],
};

const yaml: Readonly<Record<string, Entry>> = {
  alias_expansion: bound,
  custom_tag: directive,
  duplicate_key: ['A mapping has the same key twice.', 'Remove one.'],
  empty_key: ['A key is missing before the colon.', 'Write the key.'],
  leading_zero: ['YAML versions read this number differently.', 'Remove the zeros, or quote the text.'],
  merge_key: alias,
  not_a_mapping: ['The top level is not a mapping.', 'Begin with `version: 1`.'],
  recursive_alias: alias,
  several_documents: ['The file has a second document.', 'Put each document in its own file.'],
  tab_indent: ['A tab is used for indentation.', 'Indent with spaces.'],
  unknown_anchor: alias,
  yaml_directive: directive,
  yaml_syntax: ['The text is not valid YAML.', 'Fix the marked line.'],
  yaml_version: directive,
};

const variables: Readonly<Record<string, Entry>> = {
  null_variable: ['A variable gives null.', 'Give it a value, or quote it.'],
  unknown_template: ['Only `${var:NAME}` is replaced.', 'Write `$${` for a literal `${`.'],
  variable_expansion: bound,
  variable_file: ['A `--var-file` is not a JSON object.', 'Give names and values, or `terraform output -json`.'],
  variable_in_key: ['A variable is in a key.', 'Use `name:` or `id:` for the value.'],
  variable_not_scalar: ['The variable is a list or an object.', 'Output the single value.'],
  variable_sensitive: ['Terraform marks the output as sensitive.', 'Keep secrets out of the files.'],
  variable_unset: ['No flag, file or environment sets the variable.', '`--var NAME=VALUE`, or a default.'],
};

const values: Readonly<Record<string, Entry>> = {
  bad_address: value,
  bad_duration: value,
  bad_hold: value,
  bad_label: value,
  bad_name: value,
  bad_prune: value,
  bad_sink: ['The name of a secret file is not allowed.', 'Write a name inside the secrets folder.'],
  bad_window: value,
  confusable_name: ['Two names look alike.', 'Rename one.'],
  incomplete_connection: ['A connection lacks its role, database or secret.', 'Write the key.'],
  invalid_time: ['The time does not exist.', 'Correct the day, hour or offset.'],
  missing_key: ['A required key is missing.', 'Write it.'],
  network_around: [
    'Warning: the network includes more addresses than the one written.',
    'Write its first address, or drop `/N`.',
  ],
  out_of_range: value,
  refused_key: ['The key cannot be set by a client.', 'Remove it.'],
  reserved_label: reserved,
  reserved_name: reserved,
  secret_in_file: ['The value looks like a credential.', 'Remove it from the file and revoke it.'],
  size_off_table: ['Warning: the size is not in the published table.', 'Write a size of the table.'],
  unknown_attribute: unknown,
  unknown_key: unknown,
  window_unfinished: ['A maintenance window lacks a key.', 'Write the whole window.'],
  wrong_length: value,
  wrong_type: value,
  wrong_value: value,
};

const declarations: Readonly<Record<string, Entry>> = {
  branch_twice: both,
  contradiction: both,
  default_false: ['`default: false` has no effect.', 'Write `default: true` on another branch.'],
  duplicate_id: ['Two declarations pin one id.', 'Remove one id.'],
  duplicate_name: ['Two declarations have one API name.', 'Rename one, or write `id:`.'],
  duplicate_project: ['Two labels name the same project.', 'Write it once, or write ids.'],
  duplicate_sink: ['One secret names a sink twice.', 'Remove one.'],
  expect_differs: ['Files expect different accounts.', 'Write one value.'],
  expiry_refused: ['A default, protected or parent branch cannot expire.', 'Remove the expiry.'],
  min_over_max: ['The minimum size is above the maximum.', 'Swap or change them.'],
  moved_twice: ['Two computes move from one branch.', 'Remove one `moved_from`.'],
  overlap_too_long: ['The overlap is not shorter than the rotation.', 'Shorten `overlap`.'],
  overlay_loosens: ['An overlay raises a safety limit.', 'Write at most the former value.'],
  parent_ring: ['Branches are parents of each other.', 'Give one another parent.'],
  profile_expansion: bound,
  prune_needs_expect: ['Pruning the account needs `expect`.', 'Write `expect: { has_project: ID }`.'],
  prune_of_first_primary: ['`prune` would delete the primary of a new project.', 'Declare it, or remove `prune`.'],
  reference_across_projects: ['A reference leaves its project.', 'Refer to the own project.'],
  reference_to_absent: ['A reference names a resource with `state: absent`.', 'Name another one.'],
  reference_to_itself: ['A resource refers to itself.', 'Remove the reference.'],
  rotate_needs_secret: ['`rotate` has no sink for new values.', 'Write `secret:`.'],
  shared_sink: ['Two secrets go to one sink.', 'Give each its own.'],
  two_defaults: ['A project has two default branches.', 'Remove one `default`.'],
  two_primaries: ['A branch has two primaries.', 'Write `type: read_only` on one.'],
  unknown_branch: ['The text is neither a branch label nor an id.', 'Correct it; `trueup list --tree` shows all.'],
  unknown_profile: ['The profile does not exist.', 'Correct the name.'],
  unknown_reference: ['No file declares the referenced resource.', 'Declare it.'],
  unknown_referent: ['No role or database of that name is on the branch.', 'Declare it, or correct the name.'],
  written_twice: ['Two files write one attribute.', 'Remove one, or use `--overlay`.'],
};

const INTRO = 'All problems are reported at once, each with its place. Exit code 1, and no request is sent.';

export const files: readonly Group[] = [
  { title: 'Files', intro: INTRO, entries: { ...reading, ...yaml, ...variables } },
  { title: 'Declarations', intro: 'Exit code 1, except for warnings.', entries: { ...values, ...declarations } },
];
