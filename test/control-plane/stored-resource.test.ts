// A new stored resource: its tables of fields and indexes are all that the core must know of it, and few places name it.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { present, recorded, without, type Fields } from '../../src/control-plane/core/fields.ts';
import { State } from '../../src/control-plane/core/state.ts';
import type { Meta } from '../../src/control-plane/core/store.ts';
import type { TableSpec } from '../../src/control-plane/core/table.ts';
import { createMemoryStore } from '../../src/control-plane/index.ts';
import { filesBelow, root } from '../architecture/source-tree.ts';

/** An invented resource: a note that somebody pins to a project. */
interface NoteRecord {
  readonly id: string;
  readonly projectId: string;
  readonly text: string;
  readonly pinnedMs: number;
}

const fields: Fields<NoteRecord> = { id: 'id', project_id: 'projectId', text: 'text', pinned_at: 'pinnedMs' };
const seed = without(fields, 'project_id');
const notes: TableSpec<NoteRecord, 'of'> = { indexes: { of: (note) => note.projectId } };

const meta: Meta = {
  account: { id: 'a', name: 'local', email: 'local@db.localhost' },
  nextOperationSeq: 1,
  nextLedgerSeq: 1,
  nextKeyId: '1',
  settledMs: 0,
};
const note: NoteRecord = { id: 'n1', projectId: 'shop', text: 'read me', pinnedMs: 86_400_000 };

describe('an invented resource', () => {
  it('is stored, found by its index, and taken back with its transaction', () => {
    const state = new State({ notes }, createMemoryStore(), { meta, records: [] }, meta);
    state.transact(() => state.put('notes', note));
    expect([...state.live.notes.of.get('shop')]).toEqual([note]);
    const failing = (): void =>
      state.transact(() => {
        state.remove('notes', 'n1');
        throw new Error('the request fails later');
      });
    expect(failing).toThrow(/fails later/);
    expect(state.live.notes.get('n1')).toBe(note);
  });

  it('is shown, exported and imported by one table of fields', () => {
    expect(present(fields, note)).toEqual({
      id: 'n1',
      project_id: 'shop',
      text: 'read me',
      pinned_at: '1970-01-02T00:00:00.000Z',
    });
    expect(recorded(seed, present(seed, note), Date.parse)).toEqual({
      id: 'n1',
      text: 'read me',
      pinnedMs: 86_400_000,
    });
  });
});

describe('the smallest stored resource of the server', () => {
  it('is named in five places: its folder, the tables, the routes, the seed data and the schemas', () => {
    const named = filesBelow('src', '.ts')
      .filter((path) => path.startsWith('control-plane/') && !path.startsWith('control-plane/resources/permission/'))
      .filter((path) => readFileSync(`${root}/src/${path}`, 'utf8').includes('/permission/'));
    expect([...new Set(named.map((path) => path.replace(/world\/.*/, 'world')))].sort()).toEqual([
      'control-plane/api/routes.ts',
      'control-plane/resources/engine/engine.ts',
      'control-plane/world',
    ]);
  });
});
