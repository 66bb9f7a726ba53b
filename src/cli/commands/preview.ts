// `trueup preview list`: lists members of preview sets with age, expiry, last use, size and secret sinks.
import { branch } from '../../kinds/index.ts';
import { isInSet } from '../../model/address.ts';
import { sinkLabel, sinksOf, type DesiredState } from '../../model/desired.ts';
import { selectionOf } from '../../plan/selection.ts';
import { jsonPage } from '../../render/machine/diagnostics-json.ts';
import { previewsToJson, renderPreviews, type PreviewRow } from '../../render/tables/tree.ts';
import type { Run } from '../command.ts';
import { exitCodes, UsageError } from '../process/exit-code.ts';
import { deliver } from '../output/output.ts';
import { online } from '../session/online.ts';
import { readDesired } from '../session/desired-files.ts';
import { tableOptions } from '../session/session.ts';
import { surveyBranches, treeRows, type Surveyed } from './list.ts';

export const run: Run = async (invocation) => {
  const { settings, words } = invocation;
  const [verb, ...addresses] = words;
  if (verb !== 'list') throw new UsageError('preview takes the word list', 'Write `trueup preview list`.');
  const selection = { target: [...settings.target, ...addresses], exclude: settings.exclude };
  const loaded = await readDesired(invocation);
  return online(invocation, async (line) => {
    const { projects } = loaded.desired;
    const hasSets = (label: string): boolean => projects.some((one) => one.label === label && one.sets !== undefined);
    const { isInError, ...survey } = await surveyBranches(invocation, line, loaded, selection, hasSets);
    // An error can keep a preview out of the plan. The preview then has no address, so the list lacks it.
    const isWhole = survey.isWhole && !isInError;
    const selects = selectionOf(selection);
    const rows = previewRows(survey, loaded.desired).filter(({ address }) => selects([address]));
    const nowMs = line.connection.reconciler.client.serverTime();
    await deliver(invocation, {
      human: (place) => renderPreviews(rows, nowMs, { ...tableOptions(invocation, place), isWhole }),
      json: () => jsonPage(previewsToJson(rows, survey.live.unread)),
    });
    return isWhole ? exitCodes.done : exitCodes.incomplete;
  });
};

/** The number of parts in the address of a member, `PROJECT/previews/SET/KEY`. */
const MEMBER_PARTS = 4;

function previewRows(survey: Surveyed, { resources }: DesiredState): readonly PreviewRow[] {
  const listed = new Set(resources.map(({ address }) => address));
  const made = new Map(survey.live.resources.map(({ kind, id, createdAtMs }) => [`${kind} ${id}`, createdAtMs]));
  return treeRows(survey)
    .filter(({ address }) => isInSet(address) && address.split('/').length === MEMBER_PARTS)
    .map((row) => ({
      ...row,
      createdMs: made.get(`${branch.kind} ${row.id}`) ?? null,
      isListed: listed.has(row.address),
      secrets: resources
        .filter(({ address }) => address.startsWith(`${row.address}/`))
        .flatMap((one) => sinksOf(one).map(sinkLabel)),
    }));
}
