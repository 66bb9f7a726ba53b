// One fault at the fifth of ten creates, then the same command again: what each tool says, and how many computes there are.
import { faultKinds } from '../stub/faults.mjs';
import { nameOf, table } from '../support/table.mjs';
import { LATENCY_MS, messageOf, newFolder, runOnce, withService } from './rounds.mjs';

const WANTED = 10;
const WORLD = { projects: 1, branches: 1, computes: false, operationMs: 300, isLocking: false };

export const faults = {
  name: 'faults',
  async run(context) {
    const title = 'Faults: ten replicas wanted, the fault hits the fifth; two runs (exit code, computes after each)';
    context.log(title);
    const contenders = context.contenders.slice(1).filter(({ replicas }) => replicas !== undefined);
    // Nothing is timed here, so the contenders may run at the same time.
    const rows = await Promise.all(contenders.map((contender) => rowOf(contender, context)));
    const columns = [['tool', nameOf], ...Object.keys(faultKinds).map((name) => [name, ({ cells }) => cells[name]])];
    const legend =
      'A cell reads: exit code and computes after the first run → after the second. Right is 10 at the end, with an exit code other than 0 for ' +
      'whatever was not done; a failed operation has to be reported by the first run.';
    return { sections: [{ title, text: `${legend}\n\n${table(columns, rows)}` }], figures: { faults: rows } };
  },
};

async function rowOf(contender, context) {
  const { name } = contender;
  const version = contender.version();
  if (version === undefined) return { name, reason: 'not installed' };
  const cells = {};
  for (const fault of Object.keys(faultKinds)) {
    const seen = await twoRuns(contender, fault, context);
    cells[fault] =
      typeof seen === 'string' ? seen : seen.map(({ code, computes }) => `${code}: ${computes}`).join(' → ');
    context.log(`  ${name}, ${fault}: ${cells[fault]}`);
    context.keep({ scenario: 'faults', contender: name, version, fault, seen });
  }
  return { name, version, cells };
}

/** Both runs, or the reason why there were none. */
async function twoRuns(contender, fault, context) {
  try {
    return await withService((service) => runTwice(service, contender, fault, context));
  } catch (error) {
    return messageOf(error);
  }
}

async function runTwice(service, { replicas }, fault, context) {
  const input = { folder: newFolder(context), url: service.url, count: WANTED };
  await replicas.prepare?.(input);
  await service.reset({ world: WORLD, latencyMs: LATENCY_MS, faults: [{ name: fault }] });
  const seen = [];
  for (let run = 1; run <= 2; run++) {
    const { code } = await runOnce(service, { ...replicas.run(input), timeoutMs: 120_000 });
    const { computes, requests } = await service.settle();
    seen.push({ code, computes, requests });
  }
  return seen;
}
