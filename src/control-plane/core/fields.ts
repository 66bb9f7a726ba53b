// Maps the fields of records to their names in API replies and seed data: one table serves writing and reading.
import { isoTime } from '../../base/time/clock.ts';

/** Maps each name in the API's JSON to the field's name in the record. A record name that ends in `Ms` is a time. */
export type Fields<T> = Readonly<Record<string, keyof T & string>>;

/** Add members to the result with Object.assign: V8 11 collects `{ ...shown, more }` late, which lengthens pauses. */
export function present<T extends object>(fields: Fields<T>, record: T): Record<string, unknown> {
  const shown: Record<string, unknown> = {};
  for (const wire in fields) {
    const name = fields[wire] as keyof T & string;
    const value: unknown = record[name];
    if (value !== undefined) shown[wire] = name.endsWith('Ms') ? isoTime(value as number) : value;
  }
  return shown;
}

export function recorded<T extends object>(
  fields: Fields<T>,
  seed: Readonly<Record<string, unknown>>,
  msOf: (text: string) => number,
): Partial<T> {
  const record: Record<string, unknown> = {};
  for (const [wire, name] of Object.entries(fields)) {
    const value = seed[wire];
    if (value !== undefined && value !== null) record[name] = name.endsWith('Ms') ? msOf(value as string) : value;
  }
  return record as Partial<T>;
}

export function without<T>(fields: Fields<T>, ...wires: readonly string[]): Fields<T> {
  return Object.fromEntries(Object.entries(fields).filter(([wire]) => !wires.includes(wire)));
}
