// Codes of apply, secrets, credentials and the command itself.
import type { Entry, Group } from './catalogue.ts';

const sink: Entry = ['Write each sink once, as `{ file: NAME }` or `{ exec: NAME }`.'];

const again: Entry = [
  'Run trueup again: a resource changed during the run, or trueup could not read the resource yet.',
];

const apply: Readonly<Record<string, Entry>> = {
  busy: ['Run trueup again when `trueup operations --running` is empty.'],
  changed_meanwhile: again,
  come_later: ['Run trueup again later, as the service asked.'],
  held_back: ['Run `trueup plan`, which shows why the remaining difference is blocked.'],
  held_when_made: ['Raise the limit that blocks the saved plan, and plan again.'],
  journal_malformed: ['If an earlier run was killed, look for keys that it left: `trueup keys`.'],
  locked: [
    'Wait until the other run has ended. Delete the lock file only if the process of that run no longer exists.',
  ],
  no_journal: ['Set `TRUEUP_STATE_DIR` to a folder that trueup can write.'],
  not_applied: ['Run trueup again. If the difference returns, another client undoes the change.'],
  not_listed: ['Run `trueup plan` before the next apply: the list does not yet contain a new resource.'],
  not_planned: again,
  not_sent: ['Check the network, and run trueup again; no request was sent.'],
  not_verified: again,
  operation_failed: ['Run trueup again. If the operation fails again, ask the support of the service.'],
  operation_retried: ['You need not do anything: an operation succeeded after failed attempts.'],
  operation_under_way: ['Wait until the operation of another client has ended.'],
  reference_unknown: again,
  refused: ['Check the rights of the key and the limits of the subscription plan.'],
  stale: ['The account or the files changed after the plan was made (exit code 4). Review a new plan.'],
  still_running: ['Wait until `trueup operations --running` is empty, then run trueup again.'],
  timeout: ['The run took longer than `--timeout`. Raise the limit, or select fewer resources with `--target`.'],
  without_primary: ['A branch has no primary now. Run trueup again, or declare a primary for this branch.'],
};

const secrets: Readonly<Record<string, Entry>> = {
  program_in_work_tree: ['Name a sink program outside of the git work tree.'],
  secret_at_risk: [
    'trueup could neither store nor revoke a new key (exit code 6). Revoke the key with the printed id at once.',
  ],
  secret_missing: ['Consent to a new secret, as the message says; the sink does not have the secret.'],
  secret_not_kept: ['trueup could not store a new key, and revoked the key. Fix the sink, and run trueup again.'],
  secret_unproven: ['Revoke the key with the printed id if nobody uses it: its value may be lost with the reply.'],
  secrets_in_work_tree: ['Name a secrets folder outside of the git work tree with `--secrets-dir`.'],
  sink_broken: ['Fix the sink, as the message says.'],
  sink_name: sink,
  sink_not_reverted: ['Fix the sink, which may contain a revoked key, and run trueup again.'],
  sink_on_ci: ['Use an `exec` sink: the files of a CI machine may be deleted.'],
  sink_remark: ['Read the message of the sink program.'],
  sink_twice: sink,
  sink_undeclared: ['Give `--sink NAME=PROGRAM` for an `exec` sink.'],
  sink_unknown: sink,
  sink_unusable: ['Fix the sink, and run trueup again; no request was sent.'],
};

const command: Readonly<Record<string, Entry>> = {
  failed: ['The command ended without a result, probably because of a bug. Report the message.'],
  interrupted: ['Run the command again; a signal stopped it (exit code 130 or 143).'],
  old_state_folder: ['Run the `mv` commands that the message prints.'],
  plan_altered: ['Run `trueup plan -o plan.json` again; somebody changed the saved plan.'],
  plan_unsigned: ['Plan again with `TRUEUP_PLAN_KEY` set; the saved plan is not signed with that key.'],
  unauthorized: ['Set `TRUEUP_API_KEY` to a valid key.'],
  unknown_target: ['Correct the address in `--target` or `--exclude`, which matches nothing.'],
  unreachable: ['Check the base URL, the proxy and the network with `trueup ping`.'],
  usage: ['Follow the hint of the message, or read `trueup COMMAND --help`.'],
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
