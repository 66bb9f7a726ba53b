// Accounts in memory, imported into files and read back.
import { expect } from 'vitest';
import { load } from '../../support/files.ts';
import { BASE_URL, openSite } from '../../support/site.ts';
import type { VirtualClock } from '../../support/virtual-clock.ts';
import { checkDraft } from '../../../src/cli/authoring/import/check.ts';
import { draftImport } from '../../../src/cli/authoring/import/draft.ts';
import { fileNameOf, textOfScopes, type AttributeDetail } from '../../../src/cli/authoring/import/scope.ts';
import type { World } from '../../../src/control-plane/index.ts';
import type { DesiredState } from '../../../src/model/desired.ts';
import type { Reconciler } from '../../../src/reconciler/types.ts';

/** An account in memory with its requests written down. */
export interface Account {
  readonly reconciler: Reconciler;
  readonly requests: string[];
  /** Its time goes on only while `run` waits. */
  readonly clock: VirtualClock;
}

export function openAccount(seed: World): Account {
  const { clock, seen, started } = openSite({ seed });
  return { reconciler: started(), requests: seen, clock };
}

/** What these files wish. Throws when they are in error. */
export async function desiredOf(files: ReadonlyMap<string, string>): Promise<DesiredState> {
  const { desired, diagnostics } = await load({ files: Object.fromEntries(files) });
  if (desired === null) throw new Error(JSON.stringify(diagnostics));
  return desired;
}

/** Texts of files by name, one a project, as `trueup import --out-dir` writes them. */
export async function imported(account: Account, detail: AttributeDetail): Promise<ReadonlyMap<string, string>> {
  const before = await desiredOf(new Map([['empty.yaml', 'version: 1\n']]));
  const survey = await account.clock.run(
    account.reconciler.survey({ desired: before, isWanted: () => true, accountWide: true }),
  );
  const { live } = survey;
  if (live === null) throw new Error(JSON.stringify(survey.diagnostics));
  const checked = await checkDraft(draftImport(before, { ...survey, live }, detail), {
    live,
    baseUrl: BASE_URL,
    nowMs: account.clock.nowMs(),
    load: async (scopes) => load({ files: { 'draft.yaml': textOfScopes(scopes, '#') } }),
    loadAlone: async (scope) => load({ files: { 'alone.yaml': textOfScopes([scope], '#') } }),
  });
  if ('refused' in checked) throw new Error(JSON.stringify(checked.refused.diagnostics));
  expect(checked.remaining).toEqual([]);
  return new Map(checked.draft.scopes.map((scope) => [fileNameOf(scope), textOfScopes([scope], '#')]));
}
