// Switches of projects, branches, roles and databases, and of permissions.

export const accountSwitches = {
  parentNotReady: {
    settings: [423, 422],
    reason: 'Status for a branch from a parent that is itself being made. Both are seen; 423 asks to try again.',
  },
  protectedLimitStatus: {
    settings: [422, 403, 412],
    reason: 'Status for protecting more branches than the plan allows. The code is known, the status is not.',
  },
  expiryStatus: {
    settings: [422, 400],
    reason: 'Status for an expiry that is past, too far ahead, or of a branch that cannot have one.',
  },
  refusedDelete: {
    settings: [422, 409, 412],
    reason: 'Status for a branch, project or role that cannot be deleted. Clients treat 422 as final.',
  },
  refusedRestore: {
    settings: [422, 409, 412],
    reason: 'Status for a branch that cannot be restored: protected, with children, or without a parent.',
  },
  momentStatus: {
    settings: [400, 422],
    reason: 'Status for a moment that the branch has no history of.',
  },
  unknownOwner: {
    settings: [404, 400, 422],
    reason: 'Status when the owner of a database is no role of the branch.',
  },
  contentsWithoutCompute: {
    settings: ['no_operation', 'apply_config'],
    reason: 'Operations of a changed role or database on a branch without a primary, which could apply it.',
  },
  recoverOperations: {
    settings: ['no_operation', 'create_branch'],
    reason: 'Operations of a branch that is recovered. None are stated: it is there at once, its computes idle.',
  },
  branchesPageSize: {
    settings: ['all', 100, 10],
    reason: 'Branches per page when the request has no limit. Only the bounds 1 to 10000 of a limit are published.',
  },
  protectedRole: {
    settings: [422, 403, 409],
    reason: 'Status when a role of the service itself is deleted or gets another password. Its code has been seen.',
  },
  regrant: {
    settings: ['same_grant', 'refused_409'],
    reason: 'A project that is shared again with somebody who has it: the grant that is there is answered.',
  },
  unknownGrantee: {
    settings: ['granted', 'refused_404'],
    reason: 'A project that is shared with an address that has no account: every address but the own one is such here.',
  },
  revokedPermissions: {
    settings: ['left_out', 'listed'],
    reason: 'Whether the list of permissions still has those that were revoked: their revoked_at suggests that it may.',
  },
  activeComputes: {
    settings: ['unlimited', '20_beside_default'],
    reason: 'The published limit of computes that are active at once. Off: a local server serves one user.',
  },
} as const;
