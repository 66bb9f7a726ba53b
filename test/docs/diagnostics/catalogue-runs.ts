// Codes of apply, secrets, credentials and the command itself.
import type { Entry, Group } from './catalogue.ts';

const sinkAgain: Entry = ['Fix the sink, and run trueup again.'];
const sink: Entry = ['Write each sink once, as `{ file: NAME }` or `{ exec: NAME }`.'];

const again: Entry = ['Run trueup again.'];
const idle: Entry = ['Wait until `trueup operations --running` is empty, and run trueup again.'];

const apply: Readonly<Record<string, Entry>> = {
  busy: idle,
  changed_meanwhile: again,
  come_later: ['Run trueup again later.'],
  held_back: ['Lift the block that `trueup plan` shows.'],
  journal_malformed: ['After a killed run, look for unknown keys with `trueup keys`.'],
  locked: ['Wait for the other run. If its process no longer exists, delete the lock file.'],
  no_journal: ['Set `TRUEUP_STATE_DIR` to a writable folder.'],
  not_applied: ['Run trueup again. Look for a client that undoes the change.'],
  not_listed: ['Wait some minutes, and run `trueup plan` before the next apply.'],
  not_planned: again,
  not_sent: ['Check the network, and run trueup again.'],
  not_verified: again,
  operation_failed: ['See [An operation failed](../guides/runbook.md#an-operation-failed).'],
  operation_under_way: idle,
  reference_unknown: again,
  refused: ['Check the rights of the key and the limits of the subscription plan.'],
  stale: ['Review a new plan (exit code 4).'],
  still_running: idle,
  timeout: ['Raise `--timeout`, or select fewer resources with `--target`.'],
  without_primary: ['Run trueup again, or declare a primary for this branch.'],
};

const secrets: Readonly<Record<string, Entry>> = {
  program_in_work_tree: ['Name a sink program outside of the git work tree.'],
  secret_at_risk: ['[Revoke the key at once](../guides/runbook.md#6-secret-at-risk) (exit code 6).'],
  secret_missing: ['Consent to a new secret.'],
  secret_not_kept: sinkAgain,
  secret_unproven: ['Revoke the key with the printed id if nobody uses the key.'],
  secrets_in_work_tree: ['Name a folder outside of the git work tree with `--secrets-dir`.'],
  sink_broken: sinkAgain,
  sink_name: sink,
  sink_not_reverted: sinkAgain,
  sink_on_ci: ['Use an `exec` sink.'],
  sink_remark: ['Read the message of the sink program.'],
  sink_twice: sink,
  sink_undeclared: ['Give `--sink NAME=PROGRAM` for an `exec` sink.'],
  sink_unknown: sink,
  sink_unusable: sinkAgain,
};

const command: Readonly<Record<string, Entry>> = {
  failed: ['Report the message: it probably shows a bug.'],
  interrupted: ['Run the command again (exit code 130 or 143).'],
  old_state_folder: ['Run the `mv` commands that the message prints.'],
  plan_altered: ['Save a new plan.'],
  plan_unsigned: ['Plan again with `TRUEUP_PLAN_KEY` set.'],
  unauthorized: ['Set `TRUEUP_API_KEY` to a valid key.'],
  unknown_target: ['Correct the address in `--target` or `--exclude`.'],
  unreachable: ['Check the base URL, the proxy and the network.'],
  usage: ['Read `trueup COMMAND --help`.'],
};

const UNKNOWN = 'The exit code is 3, except where another code is given.';

export const runs: readonly Group[] = [
  { title: 'Apply', intro: UNKNOWN, entries: apply },
  { title: 'Secrets', intro: 'A message names the sink of a secret, never its value.', entries: secrets },
  {
    title: 'Credential and command',
    intro: 'The exit code is 1, except where another code is given.',
    entries: command,
  },
];
