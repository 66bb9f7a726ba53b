// The world that the clients meet: a project of its own for each of them, and more projects and branches than fit a page.
const LABELS = ['amber', 'birch', 'coral', 'dusk', 'ember', 'fern', 'grove'];

/** Projects besides those of the clients. */
export const CROWD = 103;
/** Branches besides main, staging and dev, in the project of the client that lists most. */
export const FEATURES = 103;

/** The project of one client: ids that the seed gives. */
export function projectOf(label) {
  const number = 100_001 + LABELS.indexOf(label);
  return {
    id: `${label}-field-${number}`,
    name: `for-${label}`,
    main: `br-${label}-main-${number}`,
    staging: `br-${label}-staging-${number}`,
    dev: `br-${label}-dev-${number}`,
    primary: `ep-${label}-primary-${number}`,
  };
}

export function seedWorld() {
  return {
    version: 1,
    account: { name: 'clients', email: 'clients@db.localhost' },
    projects: [...LABELS.map((label) => project(projectOf(label), label === 'coral' ? FEATURES : 0)), ...crowd()],
  };
}

function project({ id, name, main, staging, dev, primary }, features) {
  const owner = { roles: ['owner'], databases: [{ name: 'shop', owner_name: 'owner' }] };
  return {
    id,
    name,
    created_at: '-30d',
    last_request_at: '-2h',
    branches: [
      { id: main, name: 'main', default: true, created_at: '-30d', ...owner },
      { id: staging, name: 'staging', created_at: '-20d', ...owner },
      { id: dev, name: 'dev', created_at: '-10d', ...owner },
      ...numbered(features).map((text) => ({ name: `feature-${text}`, created_at: '-5d' })),
    ],
    computes: [{ id: primary, branch: 'main', created_at: '-30d', started_at: '-3h', suspended_at: '-2h' }],
    operations: ['create_timeline', 'start_compute', 'suspend_compute'].map((action, index) => ({
      action,
      branch_id: main,
      created_at: `-${9 - index}h`,
      updated_at: `-${9 - index}h`,
      ...(action === 'create_timeline' ? {} : { endpoint_id: primary }),
    })),
  };
}

function crowd() {
  return numbered(CROWD).map((text) => ({ id: `crowd-row-${text}`, name: `crowd-${text}`, created_at: '-40d' }));
}

function numbered(count) {
  return Array.from({ length: count }, (_, index) => String(index + 1).padStart(3, '0'));
}
