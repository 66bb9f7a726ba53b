// What a run of Stryker comes to: counts of mutants, their words, and the mutants that nobody noticed.

const NOTICED = ['Killed', 'Timeout'];
const UNNOTICED = ['Survived', 'NoCoverage'];

/** How many mutants were noticed, of those that could be, in all these files together. */
export function scoreOf(files) {
  const all = Object.values(files).flatMap(({ mutants }) => mutants.map(({ status }) => status));
  const count = (statuses) => all.filter((status) => statuses.includes(status)).length;
  const noticed = count(NOTICED);
  return { noticed, of: noticed + count(UNNOTICED) };
}

export function sumOf(scores) {
  return scores.reduce((sum, { noticed, of }) => ({ noticed: sum.noticed + noticed, of: sum.of + of }), {
    noticed: 0,
    of: 0,
  });
}

export function scoreWords({ noticed, of }) {
  return of === 0 ? 'nothing to change' : `${noticed} of ${of} (${((100 * noticed) / of).toFixed(1)} %)`;
}

/** One paragraph a mutant that no test noticed: where, and what stood there instead. */
export function survivorsOf(files) {
  return Object.entries(files).flatMap(([file, { source, mutants }]) => {
    const lines = source.split('\n');
    return mutants
      .filter(({ status }) => UNNOTICED.includes(status))
      .map(({ status, location: { start, end }, replacement, mutatorName }) => {
        const line = lines[start.line - 1];
        const old = start.line === end.line ? line.slice(start.column - 1, end.column - 1) : `${line.trim()} …`;
        const other = replacement?.replaceAll(/\s+/g, ' ').slice(0, 100);
        return `${file}:${start.line}:${start.column} ${status} ${mutatorName}\n    - ${old}\n    + ${other}`;
      });
  });
}
