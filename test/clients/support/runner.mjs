// Runs the cases of one client one after the other, says how each ended, and keeps the result for the page.
import process from 'node:process';
import { installedVersion } from './paths.mjs';

const CASE_MS = 120_000;

/** Cases from `{ [command]: [shows, run(context)] }`. */
export const casesOf = (cases) => Object.entries(cases).map(([command, [shows, run]]) => ({ command, shows, run }));

/**
 * A group is one client: `{ client, package, version, project, open(surroundings), cases }`, with `close(context)` where that is due, and
 * `missing()` for why this machine cannot run it. `open` gives the context of its cases; a case is `{ command, shows, run(context) }`.
 */
export async function runGroup(group, surroundings, installFailure) {
  const { client, version, project } = group;
  const missing = group.missing?.();
  if (missing !== undefined) {
    console.log(`\n${client} ${version}\nskipped: ${missing}`);
    return [];
  }
  const reason = whyNotInstalled(group, installFailure);
  console.log(`\n${client} ${version}`);
  const context = reason === undefined ? await group.open(surroundings) : undefined;
  const results = [];
  for (const entry of group.cases) {
    const failure = reason ?? (await failureOf(entry, context, project, surroundings.api));
    console.log(
      `${failure === undefined ? 'ok    ' : 'FAILED'} ${entry.command}${failure === undefined ? '' : `\n       ${failure}`}`,
    );
    results.push({ client, version, command: entry.command, shows: entry.shows, failure });
  }
  if (context !== undefined) await group.close?.(context);
  return results;
}

function whyNotInstalled({ package: name, version }, installFailure) {
  if (name === undefined) return undefined;
  const found = installedVersion(name);
  if (found === version) return undefined;
  return `not installed: ${installFailure ?? (found === undefined ? 'package not found' : `version ${found} is there`)}`;
}

async function failureOf(entry, context, project, api) {
  try {
    // What the case before started has ended: each case says by itself what it needs.
    if (project !== undefined) await api.settled(project.id);
    await withinDeadline(entry.run(context));
    return undefined;
  } catch (error) {
    if (process.env.DEBUG !== undefined) console.error(error);
    return error instanceof Error ? error.message.split('\n').slice(0, 12).join('\n       ') : String(error);
  }
}

async function withinDeadline(work) {
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no end within ${CASE_MS} ms`)), CASE_MS);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
