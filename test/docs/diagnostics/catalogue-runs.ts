// Codes of apply, secrets, credentials and the command itself.
import type { Entry, Group } from './catalogue.ts';

const locked: Entry = ['Another run uses this folder.', 'Wait for it. Delete the lock only if no such process exists.'];
const sink: Entry = ['A sink is written wrongly.', 'Name each sink once, as `{ file: NAME }` or `{ exec: NAME }`.'];

const apply: Readonly<Record<string, Entry>> = {
  busy: ['Operations of the project ran until the deadline.', 'Run again; `trueup operations --running` shows them.'],
  changed_meanwhile: ['The live state changed during the run.', 'Run again.'],
  come_later: ['The service asked to wait until the deadline.', 'Run again later.'],
  held_back: ['A difference remains, and its change is blocked.', '`trueup plan` shows the block.'],
  held_when_made: ['A limit blocked the saved plan, so it has no steps.', 'Raise the limit, plan again.'],
  lock_lost: locked,
  lock_taken_over: ['This run took over the lock of a dead process.', 'Nothing.'],
  lock_wait: locked,
  locked: locked,
  no_journal: ['The state folder cannot be written.', 'Set `TRUEUP_STATE_DIR`.'],
  not_applied: [
    'The service accepted a change, but the live state differs.',
    'Run again; if it recurs, another client changes it back.',
  ],
  not_listed: ['A created resource is not in the list.', '`trueup plan` before the next apply.'],
  not_planned: ['A difference remains that the plan could not see.', 'Run again.'],
  not_sent: ['The request never left this machine.', 'Check the network, run again.'],
  not_verified: ['The account could not be read after the run.', 'Run again.'],
  operation_failed: [
    'The service accepted the request, and its operation failed.',
    'Run again: the change is sent again. If it recurs, ask the service with the operation id.',
  ],
  operation_retried: ['An operation succeeded after failures.', 'Nothing.'],
  operation_under_way: ['The run waits for an operation of somebody else.', 'Wait.'],
  reference_unknown: ['The id of a referenced resource did not appear.', 'Run again.'],
  refused: ['The service refused the request for good.', 'See its message; check rights and plan limits.'],
  stale: [
    'The account or the files changed since the plan was made. Exit code 4.',
    'Plan again and review: `trueup plan -o plan.json`.',
  ],
  still_running: [
    'An operation ran at the deadline. It is neither done nor failed.',
    '`trueup operations --running`, then run again.',
  ],
  surplus: ['More resources appeared than the run asked for.', 'Check who created them, delete the surplus.'],
  timeout: ['The run reached `--timeout`.', 'Raise it, or use `--target`.'],
  without_primary: ['A branch has no primary now, and had one before.', 'Run again, or declare a primary.'],
};

const secrets: Readonly<Record<string, Entry>> = {
  program_in_work_tree: ['A sink program lies in a work tree.', 'Give a program outside.'],
  secret_at_risk: ['A new key is neither stored nor revoked. Exit code 6.', 'Revoke the printed id at once.'],
  secret_missing: ['A sink does not hold the value.', 'Consent to a new one, as the hint says.'],
  secret_not_kept: ['The secret could not be stored; a new key was revoked.', 'Fix the sink, run again.'],
  secret_unproven: ['A key appeared when a reply was lost.', 'Revoke it if nobody knows it.'],
  secrets_in_work_tree: ['The secrets folder lies in a git work tree.', 'Name another with `--secrets-dir`.'],
  sink_broken: ['A sink cannot be read or used.', 'Fix it as the message says.'],
  sink_name: sink,
  sink_not_reverted: ['A sink may hold a revoked value.', 'Fix it, run again.'],
  sink_on_ci: ['A file sink is on a build machine.', 'Use an exec sink.'],
  sink_remark: ['A sink program reported a remark.', 'Read it.'],
  sink_twice: sink,
  sink_undeclared: ['No program is declared for an exec sink.', '`--sink NAME=PROGRAM`.'],
  sink_unknown: sink,
  sink_unusable: ['A sink cannot be opened; nothing was sent.', 'Fix it, run again.'],
};

const command: Readonly<Record<string, Entry>> = {
  failed: ['The command ended without a result, mostly by a bug.', 'Report it with the message.'],
  interrupted: ['A signal stopped the command (130, 143).', 'Run again.'],
  old_state_folder: ['A `.trueup/` folder is no longer read.', 'Run the printed `mv` lines.'],
  plan_altered: ['A saved plan was changed after it was made.', 'Plan again.'],
  plan_unsigned: ['The plan is not signed with this key.', 'Plan again with `TRUEUP_PLAN_KEY`.'],
  unauthorized: ['The service does not accept the credential.', 'Set a valid `TRUEUP_API_KEY`.'],
  unknown_target: ['A selection matches nothing.', 'Correct the address.'],
  unreachable: ['The service did not answer.', 'Check base URL, proxy and network: `trueup ping`.'],
  usage: ['The command line or a saved plan cannot be used.', 'See the hint; `trueup COMMAND --help`.'],
};

const UNKNOWN =
  'Exit code 3, except where another is given. A step whose reply was lost ends as `unknown`: the run never guesses, and the next plan shows whether it happened.';

export const runs: readonly Group[] = [
  { title: 'Apply', intro: UNKNOWN, entries: apply },
  { title: 'Secrets', intro: 'Messages name the sink, never the value.', entries: secrets },
  { title: 'Credential and command', intro: 'Exit code 1, except where another is given.', entries: command },
];
