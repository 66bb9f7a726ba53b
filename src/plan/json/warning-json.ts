// What is to be said of the files or the account, as JSON, and back.
import type { Json, JsonObject } from '../../base/json.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { PlanWarning } from '../../model/generated/types.ts';
import { sourceFromJson, sourceToJson } from './change-json.ts';

export function warningToJson({ severity, code, message, hint, address, range, related }: Diagnostic): JsonObject {
  return {
    severity,
    code,
    message,
    ...(hint === undefined ? {} : { hint }),
    ...(address === undefined ? {} : { address }),
    ...(range === undefined ? {} : { source: sourceToJson(range) }),
    ...(related === undefined
      ? {}
      : { related: related.map((place): Json => ({ message: place.message, source: sourceToJson(place.range) })) }),
  };
}

export function warningFromJson({ severity, code, message, hint, address, source, related }: PlanWarning): Diagnostic {
  const range = sourceFromJson(source);
  const places = (related ?? []).flatMap((place) => {
    const at = sourceFromJson(place.source);
    return at === null ? [] : [{ message: place.message, range: at }];
  });
  return {
    severity,
    code,
    message,
    ...(hint === undefined ? {} : { hint }),
    ...(address === undefined ? {} : { address }),
    ...(range === null ? {} : { range }),
    ...(related === undefined ? {} : { related: places }),
  };
}
