// The rooms that are tested by mutation, each with the tests that hold it.

/** Globs from the root of the checkout: what is changed, and what must notice. */
export const rooms = {
  retry: {
    files: ['src/client/retry*.ts', 'src/client/status-class.ts'],
    tests: ['test/unit/client/retry*.test.ts', 'test/unit/client/api-client.test.ts'],
  },
  waiter: {
    files: [
      'src/client/operation-*.ts',
      'src/client/project-*.ts',
      'src/client/watched-operation.ts',
      'src/client/look-*.ts',
      'src/client/wait*.ts',
      'src/client/quiet-waits.ts',
    ],
    tests: [
      'test/unit/client/waiting-*.test.ts',
      'test/unit/client/look-schedule.test.ts',
      'test/unit/client/operation-durations.test.ts',
      'test/unit/client/paginate.test.ts',
      'test/unit/client/project-look.test.ts',
    ],
  },
  journal: {
    files: ['src/apply/journal/*.ts'],
    tests: ['test/unit/apply/journal*.test.ts'],
  },
  // Without the test that sets the umask: Stryker runs tests in threads, which have none of their own.
  sinks: {
    files: ['src/apply/secrets/*.ts'],
    tests: ['test/unit/apply/secrets/!(umask).test.ts', 'test/unit/apply/secret-step.test.ts'],
  },
  assignment: {
    files: ['src/plan/assignment.ts'],
    tests: ['test/unit/plan/assignment.test.ts'],
  },
  // Without the properties: they would notice more, but play hundreds of plans for each mutant.
  plan: {
    files: ['src/plan/*.ts', '!src/plan/assignment.ts'],
    tests: ['test/unit/plan/!(properties|assignment).test.ts', 'test/unit/kinds/*/*.test.ts'],
  },
};
