// Notes that a client leaves on a branch when it makes one: no route changes them later, and nothing else on the service tells who made it.

/** The first branch of a project carries them for that. */
export const NOTES = { run: 'trueup.run', disposable: 'trueup.disposable', set: 'trueup.set' } as const;
