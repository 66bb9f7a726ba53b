// `trueup show FILE`: renders a saved plan, a drift report or the result of an apply in any format.
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { isJsonObject, parseJson, type Json } from '../../base/json.ts';
import { driftFromJson } from '../../plan/drift.ts';
import { planFromJson } from '../../plan/plan-json.ts';
import { renderers, type Renderer, type TextFormat } from '../../render/index.ts';
import { jsonText } from '../../render/json-text.ts';
import { COMMENT_CHARS } from '../../render/markdown-plan.ts';
import { resultFromJson } from '../../render/result-json.ts';
import type { Invocation, Run } from '../command.ts';
import { exitCodes } from '../exit-code.ts';
import { checkOutputs, deliver } from '../output.ts';
import { humanOptions } from '../session.ts';
import { UsageError } from '../usage-error.ts';

const FORMATS: readonly TextFormat[] = ['human', 'markdown', 'html'];

export const show: Run = async (invocation) => {
  const { io, settings, words } = invocation;
  const shown = words[0] ?? '';
  checkOutputs(settings, [...FORMATS, 'json'], [resolve(io.cwd, shown)]);
  const json = readJson(resolve(io.cwd, shown), shown);
  const render = renderingOf(json, invocation);
  if (render === null) throw new UsageError(`${shown} is no plan, drift report or result of trueup`);
  await deliver(io, settings, {
    json: () => `${jsonText(json, 2)}\n`,
    ...Object.fromEntries(FORMATS.map((format) => [format, () => render(renderers[format])])),
  });
  return exitCodes.done;
};

/** How the value is shown by a renderer; null for what is none of ours. */
function renderingOf(json: Json, { io, settings }: Invocation): ((renderer: Renderer) => string) | null {
  const options = {
    ...humanOptions(io, settings, 'stdout'),
    maxChars: settings.maxChars ?? COMMENT_CHARS,
    sources: new Map<string, string>(),
    events: [],
  };
  if (isJsonObject(json) && isJsonObject(json['trueup'])) {
    const saved = planFromJson(json);
    if ('problem' in saved) throw new UsageError(saved.problem);
    return (renderer) => renderer.plan(saved.plan, { ...options, comparison: saved.comparison });
  }
  const result = resultFromJson(json);
  if (result !== undefined) return (renderer) => renderer.result(result, options);
  const report = driftFromJson(json);
  return report === undefined ? null : (renderer) => renderer.drift(report, options);
}

function readJson(path: string, shown: string): Json {
  try {
    return parseJson(readFileSync(path, 'utf8'));
  } catch (error) {
    if (error instanceof SyntaxError) throw new UsageError(`${shown} is not JSON (cut off?)`);
    throw new UsageError(`cannot read ${shown}: ${(error as NodeJS.ErrnoException).code ?? 'error'}`);
  }
}
