// Safety windows as JSON, and back.
import type { JsonObject } from '../base/json.ts';
import type { PlanWindows } from '../model/generated/types.ts';
import type { CoveringWindows } from '../model/plan.ts';
import { isTimeZone } from './windows.ts';

export function windowsToJson({ project, windows }: CoveringWindows): JsonObject {
  return {
    project,
    windows: windows.map(({ text, weekdays, startMinute, endMinute, timeZone }) => ({
      text,
      weekdays,
      start_minute: startMinute,
      end_minute: endMinute,
      time_zone: timeZone,
    })),
  };
}

export function windowsFromJson({ project, windows }: PlanWindows): CoveringWindows {
  return {
    project,
    windows: windows.map(
      ({ text, weekdays, start_minute: startMinute, end_minute: endMinute, time_zone: timeZone }) => ({
        text,
        weekdays,
        startMinute,
        endMinute,
        timeZone,
      }),
    ),
  };
}

/** The first time zone that this machine does not know; null when it knows them all. */
export function unknownTimeZone(blocks: readonly PlanWindows[]): string | null {
  const zones = blocks.flatMap(({ windows }) => windows.map(({ time_zone: timeZone }) => timeZone));
  return zones.find((zone) => !isTimeZone(zone)) ?? null;
}
