// Switches of computes, keys and operations, and of the HTTP API itself.

export const computeSwitches = {
  restartBody: {
    settings: ['endpoint_and_operations', 'operations_only', 'empty_object', 'no_content'],
    reason: 'Body of the restart reply. The public specification answers with the compute and its operations.',
  },
  restartIdle: {
    settings: ['succeeds', 'refused_406', 'refused_412', 'refused_422'],
    reason: 'Restart of an idle compute. The API reference allows it; newer pages refuse it.',
  },
  afterRestart: {
    settings: ['active', 'idle'],
    reason: 'State after a restart. The specification starts the compute; the API reference may leave it idle.',
  },
  startActive: {
    settings: ['no_operation', 'refused_422'],
    reason: 'Start of a compute that is active. Nothing is left to do, so it succeeds with no operation.',
  },
  suspendIdle: {
    settings: ['no_operation', 'refused_422'],
    reason: 'Suspend of a compute that is idle. Nothing is left to do, so it succeeds with no operation.',
  },
  resizeActive: {
    settings: ['suspend_and_start', 'suspend_only'],
    reason: 'Operations of a size change on an active compute. The API reference says that it restarts.',
  },
  resizeIdle: {
    settings: ['no_operation', 'apply_config'],
    reason: 'Operations of a size change on an idle compute. The published sample shows none.',
  },
  settingsChange: {
    settings: ['restarts', 'reloads'],
    reason: 'Whether changed Postgres settings restart an active compute. Many of them need it, so the default does.',
  },
  deleteActive: {
    settings: ['suspend_compute', 'no_operation'],
    reason: 'Operations of the delete of an active compute. The specification shows suspend_compute.',
  },
  afterFailure: {
    settings: ['cancel_rest', 'continue'],
    reason: 'The later operations of a request, after an earlier one failed. They are cancelled.',
  },
  conflictStatus: {
    settings: [409, 412, 422],
    reason: "Status when a branch already has a primary, and for duplicate names. 409 in the vendor's telemetry.",
  },
  errorBody: {
    settings: ['code_and_message', 'message_only', 'plain_text'],
    reason: 'Shape of an error body. The specification has request_id, code and message.',
  },
  missingDelete: {
    settings: [204, 404],
    reason: "Delete of a compute or branch that does not exist: 204 in today's specification, 404 in older ones.",
  },
  missingKey: {
    settings: [404, 400],
    reason: 'Revocation of a key id that does not exist, or is revoked already.',
  },
  operationsPageSize: {
    settings: [100, 10, 1000],
    reason: 'Operations per page when the request has no limit. Only the bounds 1 to 1000 of a limit are published.',
  },
  operationsLastCursor: {
    settings: ['present', 'absent'],
    reason: 'Whether the last page of operations still carries a cursor. An empty page never does.',
  },
  projectsPageSize: {
    settings: [10, 100, 'all'],
    reason: 'Projects per page when the request has no limit: 10 today; the oldest versions had no pages.',
  },
  projectsLastCursor: {
    settings: ['absent', 'present'],
    reason: 'Whether the last page of projects carries a cursor, which costs clients one more request.',
  },
  neverUsedKey: {
    settings: ['null', 'absent', 'empty_string', 'epoch'],
    reason: 'Last use of a key that was never used. The specification makes the members nullable.',
  },
  lastUse: {
    settings: ['at_once', 'each_minute'],
    reason: 'When the last use of a key shows: at once, or once a minute, as services do that spare their store.',
  },
  keyCreateReply: {
    settings: ['with_name', 'id_and_key'],
    reason: 'Members of the key creation reply: with name and created_at today, id and key alone in the API reference.',
  },
  sizes: {
    settings: ['published', 'api_page', 'any'],
    reason: 'Compute sizes accepted: those published today (16, fixed 56), those of the API reference (10), or any.',
  },
  defaultSize: {
    settings: ['fixed_0.25', 'fixed_1', 'autoscaling_0.25_2'],
    reason: 'Size of a compute created without one. It follows the plan at the vendor; the smallest is the safe guess.',
  },
  shortAutosuspend: {
    settings: ['refused_400', 'refused_422', 'accepted'],
    reason: 'Autosuspend delays of 1 to 59 seconds: invalid by the text of the specification, the status is unknown.',
  },
  plan: {
    settings: ['scale', 'launch', 'free'],
    reason: 'Plan of the account, which sets its limits.',
  },
  locking: {
    settings: ['compute', 'project', 'off'],
    reason: 'Which open operations make a write answer 423. Which ones conflict is not published.',
  },
  rateLimit: {
    settings: ['off', 'published'],
    reason: 'The published limits: 700 requests a minute, 40 a second and route. Off: a local server serves one user.',
  },
  retryAfter: {
    settings: ['absent', 'seconds', 'date'],
    reason: 'Whether 423, 429 and 503 carry Retry-After. Not documented, so clients must do without.',
  },
  availabilityChecks: {
    settings: ['daily', 'hourly', 'off'],
    reason: 'How often the control plane checks the data of a branch. The API reference says only "periodic".',
  },
} as const;
