// Codes of files, variables and declarations: the files alone show the problem.
import type { Entry, Group } from './catalogue.ts';

const bound: Entry = ['Split or shorten the files, which exceed a limit.'];
const line: Entry = ['Correct the line that the message marks.'];
const entry: Entry = ['Correct the entry, as the message says.'];
const path: Entry = ['Give the path of a plain file that trueup can read.'];

const reading: Readonly<Record<string, Entry>> = {
  bidi_character: line,
  control_character: line,
  empty_file: ['Write `version: 1`, or run `trueup init`.'],
  encoding: line,
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
  too_many_problems: ['Fix the listed problems, and run trueup again to see the others.'],
};

const yaml: Readonly<Record<string, Entry>> = {
  alias_expansion: bound,
  custom_tag: line,
  duplicate_key: line,
  empty_key: line,
  leading_zero: line,
  merge_key: line,
  not_a_mapping: line,
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
  variable_sensitive: ['Use a Terraform output that is not marked as sensitive.'],
  variable_unset: ['Give the variable a value (`--var NAME=VALUE`) or a default.'],
};

const values: Readonly<Record<string, Entry>> = {
  bad_address: entry,
  bad_duration: entry,
  bad_hold: entry,
  bad_label: entry,
  bad_name: entry,
  bad_prune: entry,
  bad_sink: entry,
  bad_window: entry,
  confusable_name: entry,
  incomplete_connection: entry,
  invalid_time: entry,
  missing_key: entry,
  network_around: ['Warning: write the first address of the network, or remove `/N`.'],
  out_of_range: entry,
  refused_key: entry,
  reserved_label: entry,
  reserved_name: entry,
  secret_in_file: ['Remove the credential from the file, and revoke it.'],
  size_off_table: ['Warning: the service does not publish this size.'],
  unknown_attribute: entry,
  unknown_key: entry,
  window_unfinished: entry,
  wrong_length: entry,
  wrong_type: entry,
  wrong_value: entry,
};

const declarations: Readonly<Record<string, Entry>> = {
  branch_twice: entry,
  contradiction: entry,
  default_false: entry,
  duplicate_id: entry,
  duplicate_name: ['Rename one of two entries with the same name in the account, or write `id:`.'],
  duplicate_project: ['Remove one of two entries for the same project.'],
  duplicate_sink: entry,
  expect_differs: entry,
  expiry_refused: entry,
  min_over_max: entry,
  moved_twice: entry,
  overlap_too_long: entry,
  overlay_loosens: ['Lower the limit: an overlay may not raise the limit of another file.'],
  parent_ring: entry,
  profile_expansion: bound,
  prune_needs_expect: entry,
  prune_of_first_primary: entry,
  reference_across_projects: entry,
  reference_to_absent: entry,
  reference_to_itself: entry,
  rotate_needs_secret: entry,
  shared_sink: entry,
  two_defaults: entry,
  two_primaries: entry,
  unknown_branch: ['Write a label or id of a branch; `trueup list --tree` shows all branches.'],
  unknown_profile: entry,
  unknown_reference: entry,
  unknown_referent: entry,
  written_twice: ['Remove one of two values of an attribute, or give one file with `--overlay`.'],
};

const INTRO = 'The exit code is 1, and no request is sent.';

export const files: readonly Group[] = [
  { title: 'Files', intro: INTRO, entries: { ...reading, ...yaml, ...variables } },
  { title: 'Declarations', intro: 'The exit code is 1, except for warnings.', entries: { ...values, ...declarations } },
];
