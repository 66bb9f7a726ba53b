// Accounts in memory, imported into files and read back.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { VirtualClock } from '../../support/virtual-clock.ts';
import { checkDraft } from '../../../src/cli/authoring/import/check.ts';
import { draftImport } from '../../../src/cli/authoring/import/draft.ts';
import type { AttributeDetail } from '../../../src/cli/authoring/import/scope.ts';
import { fileNameOf, textOfScopes } from '../../../src/cli/authoring/import/text.ts';
import { handlerTransport } from '../../../src/client/http/handler-transport.ts';
import type { LoadResult } from '../../../src/config/load.ts';
import { createControlPlane, type World } from '../../../src/control-plane/index.ts';
import type { DesiredState } from '../../../src/model/desired.ts';
import { createReconciler } from '../../../src/reconciler/index.ts';
import type { Reconciler } from '../../../src/reconciler/types.ts';
import { testClock } from '../../support/fake-io.ts';

const BASE_URL = 'http://localhost/api/v2';

export interface AccountDesk {
  open(seed: World): Account;
  /** Texts of files by name, one a project, as `trueup import --out-dir` writes them. */
  imported(account: Account, detail: AttributeDetail): Promise<ReadonlyMap<string, string>>;
  /** What these files wish. Throws when they are in error. */
  desired(account: Account, files: ReadonlyMap<string, string>): Promise<DesiredState>;
  readonly clear: () => void;
}

export function accountDesk(): AccountDesk {
  const cwd = mkdtempSync(join(tmpdir(), 'trueup-import-'));
  return {
    open: (seed) => open(cwd, seed),
    imported: async (account, detail) => imported(cwd, account, detail),
    desired: async (account, files) => desiredOf(await load(cwd, account, files)),
    clear: () => rmSync(cwd, { recursive: true, force: true }),
  };
}

/** An account in memory with its requests written down. */
export interface Account {
  readonly reconciler: Reconciler;
  readonly requests: string[];
  /** Its time goes on only while `run` waits. */
  readonly clock: VirtualClock;
}

function open(cwd: string, seed: World): Account {
  const clock = testClock();
  const controlPlane = createControlPlane({ clock, seed });
  const requests: string[] = [];
  const send = handlerTransport(
    async (request) => {
      requests.push(`${request.method} ${new URL(request.url).pathname.replace('/api/v2', '')}`);
      return controlPlane.handle(request);
    },
    { baseUrl: BASE_URL },
  );
  const reconciler = createReconciler({ baseUrl: BASE_URL, credential: controlPlane.rootKey ?? '', send, clock, cwd });
  return { reconciler, requests, clock };
}

async function load(cwd: string, { reconciler }: Account, texts: ReadonlyMap<string, string>): Promise<LoadResult> {
  for (const [file, text] of texts) writeFileSync(join(cwd, file), text);
  return reconciler.load({
    paths: [...texts.keys()],
    cwd,
    stdin: async () => new Uint8Array(),
    variables: { flags: new Map(), files: [], env: new Map() },
  });
}

function desiredOf({ desired, diagnostics }: LoadResult): DesiredState {
  if (desired === null) throw new Error(JSON.stringify(diagnostics));
  return desired;
}

async function imported(cwd: string, account: Account, detail: AttributeDetail): Promise<ReadonlyMap<string, string>> {
  const before = desiredOf(await load(cwd, account, new Map([['empty.yaml', 'version: 1\n']])));
  const survey = await account.clock.run(
    account.reconciler.survey({ desired: before, isWanted: () => true, accountWide: true }),
  );
  const { live } = survey;
  if (live === null) throw new Error(JSON.stringify(survey.diagnostics));
  const checked = await checkDraft(draftImport(before, { ...survey, live }, detail), {
    live,
    baseUrl: BASE_URL,
    nowMs: account.clock.nowMs(),
    load: async (scopes) => load(cwd, account, new Map([['draft.yaml', textOfScopes(scopes, '#')]])),
    loadAlone: async (scope) => load(cwd, account, new Map([['alone.yaml', textOfScopes([scope], '#')]])),
  });
  if ('refused' in checked) throw new Error(JSON.stringify(checked.refused.diagnostics));
  expect(checked.remaining).toEqual([]);
  return new Map(checked.draft.scopes.map((scope) => [fileNameOf(scope), textOfScopes([scope], '#')]));
}
