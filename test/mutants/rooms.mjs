// The rooms that are tested by mutation, each with the tests that hold it.

/**
 * Globs from the root of the checkout: what is changed, and what must notice; and how long a test may take where that is more
 * than five seconds.
 * Tests that play hundreds of plans or runs would notice more, but every mutant that they reach would wait for them.
 */
export const rooms = {
  retry: {
    files: ['src/client/{pace,answer-failure}.ts'],
    tests: ['test/unit/client/retry*.test.ts', 'test/unit/client/api-client.test.ts'],
  },
  waiter: {
    files: ['src/client/{operations,waiter}.ts'],
    tests: [
      'test/unit/client/waiting-*.test.ts',
      'test/unit/client/pages.test.ts',
      'test/unit/client/project-look.test.ts',
      'test/unit/client/watched-operation.test.ts',
    ],
  },
  journal: {
    files: ['src/apply/journal/*.ts'],
    tests: ['test/{unit,flows}/apply/journal*.test.ts'],
  },
  sinks: {
    files: ['src/apply/{sinks,secret}/*.ts'],
    tests: [
      'test/unit/apply/secrets/*.test.ts',
      'test/flows/apply/secret-{step,stop}.test.ts',
      'test/flows/reconciler/{connections,passwords,sink-look}.test.ts',
    ],
    // They use the disk, and programs.
    testTimeoutMs: 20_000,
  },
  decide: {
    files: ['src/apply/judge/*.ts'],
    tests: [
      'test/unit/apply/{decide,decide-plan,look,recognise,run-step,send-step,verify,world}.test.ts',
      'test/flows/apply/{decide,decide-plan,window-hold}.test.ts',
    ],
  },
  send: {
    files: ['src/apply/step/*.ts'],
    tests: ['test/unit/apply/{await-operations,resolve-step,run-step,send-step}.test.ts'],
  },
  plan: {
    files: ['src/plan/**/*.ts'],
    tests: [
      'test/unit/plan/*.test.ts',
      'test/unit/kinds/compute/*.test.ts',
      'test/{unit,flows}/kinds/api-key/!(requests|many-keys).test.ts',
    ],
  },
};
