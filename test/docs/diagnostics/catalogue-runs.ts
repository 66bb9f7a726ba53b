// Codes of apply, secrets, credentials and the command itself.
import type { Entry, Group } from './catalogue.ts';

const sink: Entry = [
  'A sink in the file has a wrong form.',
  'Write each sink once, as `{ file: NAME }` or `{ exec: NAME }`.',
];

const apply: Readonly<Record<string, Entry>> = {
  busy: ['Run trueup again when `trueup operations --running` is empty.'],
  changed_meanwhile: ['Run trueup again; somebody changed the account during the run.'],
  come_later: ['Run trueup again later, as the service asked.'],
  held_back: ['Run `trueup plan`, which shows the block of the remaining difference.'],
  held_when_made: ['A limit blocked the saved plan, so the plan has no steps.', 'Raise the limit, and plan again.'],
  journal_malformed: ['If an earlier run was killed, look for keys that it left: `trueup keys`.'],
  locked: ['Wait until the other run has ended. Delete the lock only if its process does not exist.'],
  no_journal: ['Set `TRUEUP_STATE_DIR` to a folder that trueup can write.'],
  not_applied: [
    'The service accepted a change, but the account does not show the change.',
    'Run trueup again. If the difference returns, another client undoes the change.',
  ],
  not_listed: ['The list does not contain a resource that trueup created.', 'Run `trueup plan` before the next apply.'],
  not_planned: ['Run trueup again; the plan did not contain a difference that remains.'],
  not_sent: ['Check the network, and run trueup again; no request was sent.'],
  not_verified: ['Run trueup again; the account could not be read after the run.'],
  operation_failed: [
    'The service accepted a request, and the operation of that request failed.',
    'Run trueup again, which sends the change again. If the operation fails again, ask the support of the service.',
  ],
  operation_retried: ['Nothing to do: an operation succeeded after failed attempts.'],
  operation_under_way: ['Wait until the operation of another client has ended.'],
  reference_unknown: ['Run trueup again; the id of a new resource did not appear.'],
  refused: [
    'The service refused a request.',
    'The message gives the reason. Check the rights of the key and the limits of the subscription plan.',
  ],
  stale: [
    'The account or the files changed after the plan was made. The exit code is 4.',
    'Run `trueup plan -o plan.json`, and review the new plan.',
  ],
  still_running: [
    'An operation was still running at the deadline, so its step is neither done nor failed.',
    'Wait until `trueup operations --running` is empty, then run trueup again.',
  ],
  surplus: [
    'More resources appeared than the run created.',
    'Find out who created the other resources. Delete resources that nobody needs.',
  ],
  timeout: ['Raise `--timeout`, or use `--target`.'],
  without_primary: [
    'A branch had a primary before the run, and has no primary now.',
    'Run trueup again, or declare a primary.',
  ],
};

const secrets: Readonly<Record<string, Entry>> = {
  program_in_work_tree: ['Name a sink program outside of the git work tree.'],
  secret_at_risk: [
    'A new key could be neither stored nor revoked. The exit code is 6.',
    'Revoke the key with the printed id at once.',
  ],
  secret_missing: ['A sink does not have the secret.', 'Consent to a new secret, as the message says.'],
  secret_not_kept: [
    'A new secret could not be stored, and its key was revoked.',
    'Fix the sink, and run trueup again.',
  ],
  secret_unproven: [
    'A reply was lost, and a key appeared whose value nobody may have.',
    'Revoke that key if nobody uses it.',
  ],
  secrets_in_work_tree: ['Name a secrets folder outside of the git work tree with `--secrets-dir`.'],
  sink_broken: ['Fix the sink, as the message says.'],
  sink_name: sink,
  sink_not_reverted: ['A sink may contain a revoked key.', 'Fix the sink, and run trueup again.'],
  sink_on_ci: ['Use an `exec` sink: a CI machine and its files may be deleted.'],
  sink_remark: ['Read the message of the sink program.'],
  sink_twice: sink,
  sink_undeclared: ['Give `--sink NAME=PROGRAM` for an `exec` sink.'],
  sink_unknown: sink,
  sink_unusable: ['Fix the sink, and run trueup again; no request was sent.'],
};

const command: Readonly<Record<string, Entry>> = {
  failed: ['The command ended without a result, mostly by a bug.', 'Report a bug with the message.'],
  interrupted: ['Run the command again; a signal stopped it (exit code 130 or 143).'],
  old_state_folder: ['Run the `mv` commands that the message prints.'],
  plan_altered: ['Somebody changed a saved plan.', 'Run `trueup plan -o plan.json` again.'],
  plan_unsigned: [
    'A saved plan is not signed with the key in `TRUEUP_PLAN_KEY`.',
    'Plan again with `TRUEUP_PLAN_KEY` set.',
  ],
  unauthorized: ['Set `TRUEUP_API_KEY` to a valid key.'],
  unknown_target: ['Correct the address in `--target` or `--exclude`, which matches nothing.'],
  unreachable: ['The service did not answer.', 'Check the base URL, the proxy and the network with `trueup ping`.'],
  usage: [
    'The command line or a saved plan cannot be used.',
    'The message has a hint; see also `trueup COMMAND --help`.',
  ],
};

const UNKNOWN =
  'The exit code is 3, except where another code is given. If the reply to a step was lost, the step ends as `unknown`, and the next plan shows whether the step was carried out.';

export const runs: readonly Group[] = [
  { title: 'Apply', intro: UNKNOWN, entries: apply },
  { title: 'Secrets', intro: 'These messages name the sink of a secret, never its value.', entries: secrets },
  {
    title: 'Credential and command',
    intro: 'The exit code is 1, except where another code is given.',
    entries: command,
  },
];
