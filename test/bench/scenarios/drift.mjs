// Ten computes; one is deleted and one resized behind the tool's back. Who sees it?
import { nameOf, table } from '../support/table.mjs';
import { LATENCY_MS, messageOf, newFolder, runOnce, withService } from './rounds.mjs';

const fleet = { projects: 1, branches: 10 };

export const drift = {
  name: 'drift',
  async run(context) {
    const title = 'Drift probe: 10 computes, one deleted and one resized by hand';
    context.log(title);
    const rows = [];
    for (const contender of context.contenders) rows.push(await rowOf(contender, context));
    const columns = [
      ['tool', nameOf],
      ['sees drift?', ({ sees }) => sees],
      ['requests', ({ requests }) => requests],
    ];
    return { sections: [{ title, text: table(columns, rows) }], figures: { drift: rows } };
  },
};

async function rowOf(contender, context) {
  const { name, noop } = contender;
  const version = contender.version();
  if (version === undefined) return { name, reason: 'not installed' };
  if (noop.sawDrift === undefined)
    return { name, version, sees: contender.seesDrift ?? 'reads all, compares nothing', requests: '' };
  try {
    return await probe(contender, version, context);
  } catch (error) {
    return { name, version, reason: messageOf(error) };
  }
}

function probe({ name, noop }, version, context) {
  return withService(async (service) => {
    const input = { folder: newFolder(context), url: service.url, fleet };
    await service.reset({
      world: { ...fleet, computes: noop.startsEmpty !== true, operationMs: 0, isLocking: false },
      latencyMs: 0,
    });
    await noop.prepare?.(input);
    await service.change();
    await service.reset({ latencyMs: LATENCY_MS });
    const result = await runOnce(service, noop.run(input));
    const sees = noop.sawDrift(result, result.stats);
    context.log(`  ${name}: ${sees}`);
    context.keep({
      scenario: 'drift',
      contender: name,
      version,
      sees,
      requests: result.stats.requests,
      code: result.code,
    });
    return { name, version, sees, requests: result.stats.requests };
  });
}
