// Fields of a record, stated once: the table gives each its name on the wire, for presentation and for seed data alike.
import { isoTime } from '../../base/time/clock.ts';

/** Names of the record by their names on the wire. */
export type Fields<T> = Readonly<Record<string, keyof T & string>>;

/** The record on the wire, without fields that are absent. A field whose name ends in `Ms` is a time. */
export function present<T extends object>(fields: Fields<T>, record: T): Record<string, unknown> {
  const shown: Record<string, unknown> = {};
  for (const wire in fields) {
    const name = fields[wire] as keyof T & string;
    const value: unknown = record[name];
    if (value !== undefined) shown[wire] = name.endsWith('Ms') ? isoTime(value as number) : value;
  }
  return shown;
}
