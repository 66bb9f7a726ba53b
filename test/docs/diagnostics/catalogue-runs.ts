// Codes of apply, secrets, credentials and the command itself.
import type { Entry, Group } from './catalogue.ts';

const locked: Entry = [
  'Another run uses this working folder.',
  'Wait until that run has ended. Delete the lock only if its process does not exist.',
];
const sink: Entry = [
  'A sink in the file has a wrong form.',
  'Write each sink once, as `{ file: NAME }` or `{ exec: NAME }`.',
];

const apply: Readonly<Record<string, Entry>> = {
  busy: [
    'Operations of the project ran until the deadline.',
    'Run trueup again when they have ended; `trueup operations --running` shows running operations.',
  ],
  changed_meanwhile: ['Somebody changed the account during the run.', 'Run trueup again.'],
  come_later: ['The service asked to wait until the deadline.', 'Run trueup again later.'],
  held_back: ['After the run there is a difference whose change is blocked.', '`trueup plan` shows the block.'],
  held_when_made: ['A limit blocked the saved plan, so the plan has no steps.', 'Raise the limit, and plan again.'],
  lock_lost: locked,
  lock_taken_over: ['This run took over the lock of a process that no longer exists.', 'Nothing to do.'],
  lock_wait: locked,
  locked: locked,
  no_journal: ['The state folder cannot be written.', 'Set `TRUEUP_STATE_DIR` to a folder that trueup can write.'],
  not_applied: [
    'The service accepted a change, but the account does not show the change.',
    'Run trueup again. If the difference returns, another client undoes the change.',
  ],
  not_listed: ['The list does not contain a resource that trueup created.', 'Run `trueup plan` before the next apply.'],
  not_planned: ['After the run there is a difference that the plan did not contain.', 'Run trueup again.'],
  not_sent: ['The request never left this machine.', 'Check the network, and run trueup again.'],
  not_verified: ['The account could not be read after the run.', 'Run trueup again.'],
  operation_failed: [
    'The service accepted a request, and the operation of that request failed.',
    'Run trueup again, which sends the change again. If the operation fails again, ask the support of the service.',
  ],
  operation_retried: ['An operation succeeded after failed attempts.', 'Nothing to do.'],
  operation_under_way: [
    'The run waits for an operation that another client started.',
    'Wait until the operation has ended.',
  ],
  reference_unknown: ['The id of a resource to which another one refers did not appear.', 'Run trueup again.'],
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
    'Find out who created the other resources, and delete them if nobody needs them.',
  ],
  timeout: ['The run reached `--timeout`.', 'Raise `--timeout`, or use `--target`.'],
  without_primary: [
    'A branch had a primary before the run, and has no primary now.',
    'Run trueup again, or declare a primary.',
  ],
};

const secrets: Readonly<Record<string, Entry>> = {
  program_in_work_tree: ['A sink program is in a git work tree.', 'Name a program outside of the work tree.'],
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
  secrets_in_work_tree: ['The secrets folder is in a git work tree.', 'Name another folder with `--secrets-dir`.'],
  sink_broken: ['A sink cannot be read or used.', 'Fix the sink, as the message says.'],
  sink_name: sink,
  sink_not_reverted: ['A sink may contain a revoked key.', 'Fix the sink, and run trueup again.'],
  sink_on_ci: ['A file sink is on a CI machine, which may be deleted.', 'Use an `exec` sink.'],
  sink_remark: ['A sink program printed a message.', 'Read that message.'],
  sink_twice: sink,
  sink_undeclared: ['No program is declared for an `exec` sink.', 'Give `--sink NAME=PROGRAM`.'],
  sink_unknown: sink,
  sink_unusable: ['A sink cannot be opened, so no request was sent.', 'Fix the sink, and run trueup again.'],
};

const command: Readonly<Record<string, Entry>> = {
  failed: ['The command ended without a result, mostly by a bug.', 'Report a bug with the message.'],
  interrupted: ['A signal stopped the command (exit code 130 or 143).', 'Run the command again.'],
  old_state_folder: ['trueup no longer reads a `.trueup/` folder.', 'Run the `mv` commands that the message prints.'],
  plan_altered: ['Somebody changed a saved plan.', 'Run `trueup plan -o plan.json` again.'],
  plan_unsigned: [
    'A saved plan is not signed with the key in `TRUEUP_PLAN_KEY`.',
    'Plan again with that variable set.',
  ],
  unauthorized: ['The service does not accept the API key.', 'Set `TRUEUP_API_KEY` to a valid key.'],
  unknown_target: ['An address in `--target` or `--exclude` matches nothing.', 'Correct the address.'],
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
