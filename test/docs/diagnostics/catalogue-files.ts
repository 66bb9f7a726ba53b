// Codes of files, variables and declarations: the files alone show the problem.
import type { Entry, Group } from './catalogue.ts';

const bound: Entry = ['Split or shorten the files.'];
const line: Entry = ['Correct the marked line.'];
const value: Entry = ['Write an allowed value.'];
const one: Entry = ['Keep one of the two.'];
const missing: Entry = ['Write the missing key.'];
const unknown: Entry = ['Declare the name, or correct it.'];
const other: Entry = ['Refer to another resource of the same project that is not absent.'];
const entry: Entry = ['Correct the entry.'];
const path: Entry = ['Give the path of a plain file that trueup can read.'];

const reading: Readonly<Record<string, Entry>> = {
  bidi_character: line,
  control_character: line,
  empty_file: ['Write `version: 1`, or run `trueup init`.'],
  encoding: ['Save the file as UTF-8.'],
  file_not_found: path,
  file_too_large: bound,
  file_unreadable: path,
  files_too_large: bound,
  no_files: ['Name a folder with `*.yaml` or `*.yml` files.'],
  not_a_file: path,
  outside_folder: path,
  saved_plan: ['Run `trueup apply PLAN` or `trueup show PLAN`.'],
  too_complex: bound,
  too_deep: bound,
  too_long: bound,
  too_many_entries: ['Split the files, or raise `--max-entries`.'],
  too_many_files: bound,
  too_many_problems: ['Fix the listed problems, and run trueup again.'],
};

const yaml: Readonly<Record<string, Entry>> = {
  alias_expansion: bound,
  custom_tag: line,
  duplicate_key: line,
  empty_key: line,
  leading_zero: line,
  merge_key: line,
  not_a_mapping: ['Begin the file with `version: 1`.'],
  recursive_alias: line,
  several_documents: line,
  tab_indent: line,
  unknown_anchor: line,
  yaml_directive: line,
  yaml_syntax: line,
  yaml_version: line,
};

const variables: Readonly<Record<string, Entry>> = {
  null_variable: line,
  unknown_template: ['Write `${var:NAME}` for a variable, or `$${` for a literal `${`.'],
  variable_expansion: bound,
  variable_file: ['Give `--var-file` a JSON object.'],
  variable_in_key: line,
  variable_not_scalar: line,
  variable_sensitive: ['Use a Terraform output that is not sensitive.'],
  variable_unset: ['Give the variable a value (`--var NAME=VALUE`) or a default.'],
};

const values: Readonly<Record<string, Entry>> = {
  bad_address: value,
  bad_key: ['Write keys of letters, digits, `.`, `_` and `-`; in a variable, as a JSON list.'],
  bad_duration: value,
  bad_hold: value,
  bad_label: value,
  bad_name: value,
  bad_prune: value,
  bad_sink: value,
  bad_window: value,
  confusable_name: entry,
  incomplete_connection: missing,
  invalid_time: value,
  missing_key: missing,
  network_around: ['Warning: write the first address of the network, or remove `/N`.'],
  out_of_range: value,
  refused_key: entry,
  reset_refused: ['Write the parent as `from:`, or remove `reset`.'],
  reserved_label: entry,
  reserved_name: entry,
  secret_in_file: ['Remove the credential from the file, and revoke it.'],
  size_off_table: ['Warning: the service does not publish this size.'],
  unknown_attribute: entry,
  unknown_key: entry,
  window_unfinished: missing,
  wrong_length: value,
  wrong_type: value,
  wrong_value: value,
};

const declarations: Readonly<Record<string, Entry>> = {
  branch_twice: one,
  contradiction: one,
  default_false: entry,
  duplicate_id: one,
  duplicate_name: ['Rename one of the two entries, or write `id:`.'],
  duplicate_project: ['Remove one of the two entries.'],
  duplicate_sink: one,
  expect_differs: entry,
  expiry_refused: entry,
  min_over_max: entry,
  moved_twice: one,
  overlap_too_long: entry,
  overlay_loosens: ['Lower the limit in the overlay.'],
  parent_ring: entry,
  profile_expansion: bound,
  prune_needs_expect: missing,
  prune_of_first_primary: entry,
  reference_across_projects: other,
  reference_to_absent: other,
  reference_to_itself: other,
  reset_refused: missing,
  rotate_needs_secret: missing,
  shared_sink: one,
  too_many_keys: ['Check the list of keys, or raise `max`.'],
  two_defaults: one,
  two_primaries: one,
  unknown_branch: ['Write a label or id of a branch; `trueup list --tree` shows all branches.'],
  unknown_profile: unknown,
  unknown_reference: unknown,
  unknown_referent: unknown,
  written_twice: ['Remove one of the two values, or give one file with `--overlay`.'],
};

const INTRO = 'The exit code is 1, and no request is sent.';

export const files: readonly Group[] = [
  { title: 'Files', intro: INTRO, entries: { ...reading, ...yaml, ...variables } },
  { title: 'Declarations', intro: 'The exit code is 1, except for warnings.', entries: { ...values, ...declarations } },
];
