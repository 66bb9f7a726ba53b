// What is kept of a key in its places: `{name, id, key, created_at}`.
import type { RecordShape } from '../../apply/sinks/record.ts';

export const RECORD: RecordShape = {
  members: ['name', 'id', 'key', 'created_at'],
  secrets: ['key'],
  owner: ['name'],
  required: ['id'],
  numbers: ['id'],
};
