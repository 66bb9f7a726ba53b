// Codes of files, variables and declarations: the files alone show the problem.
import type { Entry, Group } from './catalogue.ts';

const bound: Entry = [
  'The files exceed the bound in the message.',
  'Split or shorten the files, or raise `--max-entries`.',
];
const character: Entry = ['The text has a character that is not allowed.', 'Remove the character.'];
const path: Entry = ['The path is not a plain file that trueup can read.', 'Give the path of a plain file.'];
const directive: Entry = ['trueup does not accept YAML tags and directives.', 'Remove the tag or directive.'];
const alias: Entry = ['An alias or merge key names no earlier anchor.', 'Correct the name of the anchor.'];
const value: Entry = ['The name or value is not allowed for this key.', 'Write a value that the message lists.'];
const both: Entry = ['Two keys exclude each other.', 'Remove one of the two keys.'];
const reserved: Entry = ['The name is reserved by the service, by Postgres or by trueup.', 'Choose another name.'];
const unknown: Entry = [
  'The key does not exist at this position of the file.',
  'Write the key that the message suggests, or run `trueup explain`.',
];

const reading: Readonly<Record<string, Entry>> = {
  bidi_character: character,
  control_character: character,
  empty_file: ['The file is empty.', 'Write `version: 1`, or run `trueup init`.'],
  encoding: ['The file is not valid UTF-8.', 'Save the file as UTF-8.'],
  file_not_found: path,
  file_too_large: bound,
  file_unreadable: path,
  files_too_large: bound,
  no_files: ['A folder has no `*.yaml` or `*.yml` file.', 'Name another path with `-f`.'],
  not_a_file: path,
  outside_folder: path,
  saved_plan: ['The file is a saved plan, not a desired-state file.', 'Run `trueup apply PLAN` or `trueup show PLAN`.'],
  too_complex: bound,
  too_deep: bound,
  too_long: bound,
  too_many_entries: bound,
  too_many_files: bound,
  too_many_problems: [
    'The files have more than 1,000 problems, and trueup lists only 1,000.',
    'Fix the listed problems first.',
  ],
};

const yaml: Readonly<Record<string, Entry>> = {
  alias_expansion: bound,
  custom_tag: directive,
  duplicate_key: ['A mapping has the same key twice.', 'Remove one of the two keys.'],
  empty_key: ['A key is missing before a colon.', 'Write the key before the colon.'],
  leading_zero: [
    'A number begins with zeros, which YAML versions read differently.',
    'Remove the zeros, or quote the number.',
  ],
  merge_key: alias,
  not_a_mapping: ['The top level of the file is not a mapping.', 'Begin the file with `version: 1`.'],
  recursive_alias: alias,
  several_documents: ['The file has a second document.', 'Put each YAML document into its own file.'],
  tab_indent: ['A line is indented with a tab.', 'Indent the line with spaces.'],
  unknown_anchor: alias,
  yaml_directive: directive,
  yaml_syntax: ['The text is not valid YAML.', 'Fix the line that the message marks.'],
  yaml_version: directive,
};

const variables: Readonly<Record<string, Entry>> = {
  null_variable: ['The value of a variable is null.', 'Give the variable a value, or quote the variable.'],
  unknown_template: ['A `${` in the file does not begin a variable `${var:NAME}`.', 'Write `$${` for a literal `${`.'],
  variable_expansion: bound,
  variable_file: [
    'A `--var-file` is not a JSON object.',
    'Give a JSON object with names and values, or the output of `terraform output -json`.',
  ],
  variable_in_key: [
    'A key of the file contains a variable.',
    'Use the variable in a value, such as that of `name:` or `id:`.',
  ],
  variable_not_scalar: ['The value of a variable is a list or an object.', 'Give the variable a single value.'],
  variable_sensitive: [
    'Terraform marks an output as sensitive, and a file must not contain secrets.',
    'Use another output.',
  ],
  variable_unset: [
    'A variable has no value.',
    'Give the variable a value with `--var NAME=VALUE`, or a default in the file.',
  ],
};

const values: Readonly<Record<string, Entry>> = {
  bad_address: value,
  bad_duration: value,
  bad_hold: value,
  bad_label: value,
  bad_name: value,
  bad_prune: value,
  bad_sink: ['The name of a secret file is not allowed.', 'Write a file name inside the secrets folder.'],
  bad_window: value,
  confusable_name: ['Two names look alike.', 'Rename one of the two.'],
  incomplete_connection: ['A connection has no `role`, `database` or `secret`.', 'Write the missing key.'],
  invalid_time: ['The time does not exist.', 'Correct the day, the hour or the offset of the time zone.'],
  missing_key: ['A required key is missing.', 'Write the missing key.'],
  network_around: [
    'Warning: the address has a network mask `/N`, so the network contains further addresses.',
    'Write the first address of the network, or remove `/N`.',
  ],
  out_of_range: value,
  refused_key: ['Only the service can set this key.', 'Remove the key from the file.'],
  reserved_label: reserved,
  reserved_name: reserved,
  secret_in_file: ['The value looks like a credential.', 'Remove the credential from the file, and revoke it.'],
  size_off_table: ['Warning: the size is not in the published table of sizes.', 'Write a size of that table.'],
  unknown_attribute: unknown,
  unknown_key: unknown,
  window_unfinished: ['A maintenance window has no weekdays, start or end.', 'Write all keys of the window.'],
  wrong_length: value,
  wrong_type: value,
  wrong_value: value,
};

const declarations: Readonly<Record<string, Entry>> = {
  branch_twice: both,
  contradiction: both,
  default_false: ['`default: false` has no effect.', 'Write `default: true` on another branch.'],
  duplicate_id: ['Two entries have the same `id`.', 'Remove one of the two ids.'],
  duplicate_name: ['Two entries have the same API name.', 'Rename one of the two, or write `id:`.'],
  duplicate_project: ['Two labels name the same project.', 'Write the project once, or write the ids of two projects.'],
  duplicate_sink: ['One secret names the same sink twice.', 'Remove one of the two sinks.'],
  expect_differs: ['Two files have different values under `expect`.', 'Write the same value in both files.'],
  expiry_refused: ['A default, protected or parent branch cannot expire.', 'Remove `ttl` or `expires_at`.'],
  min_over_max: ['The minimum size is above the maximum.', 'Exchange or change the two sizes.'],
  moved_twice: ['Two computes have the same `moved_from`.', 'Remove one `moved_from`.'],
  overlap_too_long: ['`overlap` is not shorter than `every`.', 'Shorten `overlap`.'],
  overlay_loosens: ['An overlay raises a limit of `safety`.', 'Write at most the value of the file below the overlay.'],
  parent_ring: ['Branches are parents of each other.', 'Give one of these branches another parent.'],
  profile_expansion: bound,
  prune_needs_expect: ['Pruning the account needs `expect`.', 'Write `expect: { has_project: ID }`.'],
  prune_of_first_primary: [
    '`prune` would delete the primary of a new project.',
    'Declare the primary, or remove `prune`.',
  ],
  reference_across_projects: [
    'A resource refers to a resource of another project.',
    'Refer to a resource of the same project.',
  ],
  reference_to_absent: ['A resource refers to a resource with `state: absent`.', 'Refer to another resource.'],
  reference_to_itself: ['A resource refers to itself.', 'Remove this reference.'],
  rotate_needs_secret: ['`rotate` needs a sink for the new secret.', 'Write `secret:` with a sink.'],
  shared_sink: ['Two secrets go to one sink.', 'Give each secret a sink of its own.'],
  two_defaults: ['A project has two default branches.', 'Remove `default: true` from one of the branches.'],
  two_primaries: ['A branch has two primaries.', 'Write `type: read_only` for one of the two computes.'],
  unknown_branch: [
    'The text is neither a label nor an id of a branch.',
    'Correct the text; `trueup list --tree` shows all branches.',
  ],
  unknown_profile: ['No file declares the profile.', 'Correct the name of the profile.'],
  unknown_reference: ['A resource refers to a resource that no file declares.', 'Declare that resource.'],
  unknown_referent: [
    'The branch has no role or database of that name.',
    'Declare the role or database, or correct the name.',
  ],
  written_twice: [
    'Two files set the same attribute.',
    'Remove one of the two values, or give one file with `--overlay`.',
  ],
};

const INTRO =
  'One run reports all problems of the files, each with its line. The exit code is 1, and no request is sent.';

export const files: readonly Group[] = [
  { title: 'Files', intro: INTRO, entries: { ...reading, ...yaml, ...variables } },
  { title: 'Declarations', intro: 'The exit code is 1, except for warnings.', entries: { ...values, ...declarations } },
];
