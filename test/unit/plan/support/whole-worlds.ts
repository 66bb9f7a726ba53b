// Worlds whose plans are kept whole: together they show everything that a plan may say of computes.
import type { World } from './world.ts';

const HOURS = { weekdays: [0], startMinute: 120, endMinute: 240 };
const SUNDAY = { text: 'Sun 02:00-04:00 Europe/Berlin', ...HOURS, timeZone: 'Europe/Berlin' };

/** By the name of their golden file. */
export const WHOLE_WORLDS: Readonly<Record<string, World>> = {
  'every-action': {
    file: `
shop:
  prune: { type: [read_only] }
  unmanaged_ok: [ep-known]
  computes:
    created: { branch: br-new, min: 1, max: 2, settings: { pg_settings: { work_mem: 64MB } } }
    updated: { branch: br-1, pooler_enabled: true, suspend_timeout_seconds: 600 }
    resized: { branch: br-2, max: 4, settings: { pg_settings: { work_mem: 64MB, jit: 'off' } } }
    moved: { id: ep-3, branch: br-33, max: 2 }
    replaced: { id: ep-4, branch: br-4, type: read_only }
    deleted: { id: ep-5, state: absent }
    restarted: { branch: br-6, restart: { not_before: 2026-11-01 } }
    due: { branch: br-7, restart: { max_age: 7d } }
    unchanged: { branch: br-8, max: 2, suspend_timeout_seconds: 300 }
    absent: { branch: br-9, type: read_write, state: absent }`,
    live: `
shop:
  ep-1: { branch: br-1, pooler_enabled: false, suspend_timeout_seconds: 300 }
  ep-2: { branch: br-2, max: 1, settings: { pg_settings: { work_mem: 32MB, shared_buffers: 1GB } } }
  ep-3: { branch: br-3, max: 1 }
  ep-4: { branch: br-4, max: 1 }
  ep-5: { branch: br-5 }
  ep-6: { branch: br-6, created: 2026-01-01, started: '2026-10-01T00:00:00Z' }
  ep-7: { branch: br-7, created: 2026-01-01, started: '2026-10-01T00:00:00Z' }
  ep-8: { branch: br-8, max: 2, state: idle }
  ep-known: { branch: br-10, type: read_only }
  ep-unlisted: { branch: br-11 }
  ep-pruned: { branch: br-11, type: read_only }
blog:
  ep-b: { branch: br-b }`,
    log: ['1h start_compute finished ep-8', '2d apply_config finished ep-1', '40d start_compute finished ep-6'],
  },
  'due-ones-run': {
    file: `
shop:
  computes:
    due: { branch: br-7, restart: { max_age: 7d } }
    both: { branch: br-8, max: 2, restart: { not_before: 2026-11-01 } }`,
    live: `
shop:
  ep-7: { branch: br-7, created: 2026-01-01, started: '2026-10-01T00:00:00Z' }
  ep-8: { branch: br-8, max: 1, created: 2026-01-01, started: '2026-10-01T00:00:00Z' }`,
    input: { due: true },
  },
  'changes-that-failed-before': {
    file: `
shop:
  computes:
    again: { branch: br-1, max: 2, pooler_enabled: true }
    nothing: { branch: br-2 }
    mended: { branch: br-3, max: 2 }
    both: { branch: br-4, max: 4, lifecycle: { hold: [{ path: pooler_enabled, value: true, until: 2027-01-01 }] }, pooler_enabled: false }`,
    live: `
shop:
  ep-1: { branch: br-1, max: 2, pooler_enabled: true }
  ep-2: { branch: br-2 }
  ep-3: { branch: br-3, max: 2 }
  ep-4: { branch: br-4, max: 2, pooler_enabled: true }`,
    log: [
      '1h apply_config failed ep-1',
      '1h apply_config failed ep-2',
      '1h apply_config finished ep-3',
      '2h apply_config failed ep-3',
      '3h apply_config error ep-4',
    ],
  },
  'what-cannot-be': {
    file: `
shop:
  computes:
    twice: { id: ep-1, branch: br-1 }
    again: { id: ep-1, branch: br-1 }
    crowded: { branch: br-2 }
    held: { id: ep-4, branch: br-5 }
    stale: { id: ep-none, branch: br-6, type: read_only }
    lost: { id: ep-none }
    elsewhere: { id: ep-b, branch: br-7, type: read_only }
    odd: { id: ep-odd, branch: br-8 }
    region: { branch: br-9, region_id: aws-2 }
    one: { branch: br-10 }
    two: { branch: br-10 }
nowhere: { computes: { a: { branch: br-1 } } }`,
    live: `
shop:
  ep-1: { branch: br-1 }
  ep-2: { branch: br-2 }
  ep-3: { branch: br-2 }
  ep-4: { branch: br-4 }
  ep-5: { branch: br-5 }
  ep-odd: { branch: br-8, type: turbo }
  ep-9: { branch: br-9, region_id: aws-1 }
blog: { ep-b: { branch: br-b } }`,
  },
  'nothing-listed': {
    file: 'shop: { prune: true, computes: {} }',
    live: 'shop: { ep-1: { branch: br-1 }, ep-2: { branch: br-1, type: read_only } }',
  },
  'held-back': {
    file: `
shop:
  computes:
    protected: { id: ep-1, state: absent, lifecycle: { protect: true } }
    dependent: { branch: br-1 }
    resized: { branch: br-2, max: 2 }
    harmless: { branch: br-3, pooler_enabled: true }
    stale: { id: ep-none, branch: br-4, type: read_write, max: 2, lifecycle: { protect: true } }
    gone: { id: ep-5, state: absent }`,
    live: `
shop:
  ep-1: { branch: br-1 }
  ep-2: { branch: br-2, max: 1 }
  ep-3: { branch: br-3, pooler_enabled: false }
  ep-4: { branch: br-4, max: 1 }
  ep-5: { branch: br-5 }`,
    safety: [{ windows: [SUNDAY] }, { project: 'blog', windows: [SUNDAY] }],
    input: { consent: 'unattended' },
  },
  'limits-exceeded': {
    file: `
shop:
  computes:
    a: { id: ep-1, state: absent }
    b: { id: ep-2, state: absent }
    c: { branch: br-3, max: 2 }`,
    live: `
shop:
  ep-1: { branch: br-1 }
  ep-2: { branch: br-2 }
  ep-3: { branch: br-3, max: 1 }
  ep-4: { branch: br-4 }`,
    safety: [{ maxDeletes: 1, maxRestarts: 0 }, { project: 'shop', maxDeletes: 0 }, { maxDeletes: 2 }],
  },
  'not-everything-was-read': {
    file: `
shop: { prune: true, computes: { a: { branch: br-1, max: 2 } } }
blog: { prune: true, computes: { b: { branch: br-2 } } }
club: { computes: { c: { branch: br-3 } } }`,
    live: 'shop: { ep-1: { branch: br-1, max: 1 } }\nblog: { ep-2: { branch: br-9 } }',
    unread: ['blog', 'club'],
    log: ['1h apply_config finished ep-1'],
    logComplete: false,
  },
};
