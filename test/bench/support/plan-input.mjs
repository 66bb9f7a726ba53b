// What planning starts from, made without files and without a service: fleets of any size, and one crowded branch.

const place = { line: 1, column: 1, offset: 0 };
const source = { file: 'fleet.yaml', start: place, end: place };
const lifecycle = { protect: false, ignore: [], hold: [], via: null };

function wish(scope, name, spec) {
  const own = {
    kind: 'compute',
    address: `${scope}/${name}`,
    scope,
    name,
    pin: null,
    absent: false,
    isNew: false,
    movedFrom: null,
  };
  return { ...own, spec, lifecycle, options: {}, source, sources: {} };
}

const truth = (projectId, id, spec, createdAtMs) => ({
  kind: 'compute',
  id,
  projectId,
  spec,
  observed: {},
  createdAtMs,
});

function inputOf(rules, projects, resources, live) {
  const declared = projects.map(({ label, id }) => ({
    label,
    id,
    name: label,
    labels: {},
    prune: false,
    unmanagedOk: [],
    source,
  }));
  const nothing = { nowMs: 1_800_000_000_000, consent: 'reviewed', allow: [], due: false, target: [], exclude: [] };
  return {
    baseUrl: 'http://127.0.0.1/api/v2',
    desired: { expect: null, projects: declared, resources, accountPrune: [], safety: [], digest: 'sha256:0' },
    live: {
      projects: projects.map(({ label, id }) => ({ label, id, name: label })),
      resources: live,
      histories: new Map(),
      unread: [],
      facts: new Map(),
    },
    kinds: [rules],
    ...nothing,
  };
}

/** `count` primaries, ten to a project; every tenth wants another size. */
export function fleetInput(rules, count) {
  const projects = Array.from({ length: Math.ceil(count / 10) }, (_, p) => ({ label: `p${p}`, id: `project-${p}` }));
  const resources = [];
  const live = [];
  for (let n = 0; n < count; n++) {
    const { label, id } = projects[Math.floor(n / 10)];
    const spec = { branch_id: `br-${n}`, type: 'read_write', autoscaling_limit_min_cu: 1, autoscaling_limit_max_cu: 1 };
    resources.push(wish(label, `c${n}`, n % 10 === 0 ? { ...spec, autoscaling_limit_max_cu: 2 } : spec));
    live.push(truth(id, `ep-${n}`, spec, n));
  }
  return inputOf(rules, projects, resources, live);
}

/** `count` replicas without pins on one branch, all of different sizes, all to be changed. */
export function crowdInput(rules, count) {
  const resources = [];
  const live = [];
  for (let n = 0; n < count; n++) {
    const spec = { branch_id: 'br-crowd', type: 'read_only', suspend_timeout_seconds: 1000 + n };
    resources.push(
      wish('crowd', `r${n}`, {
        ...spec,
        suspend_timeout_seconds: 100_000 + ((n * 7919) % count),
        pooler_enabled: n % 2 === 0,
      }),
    );
    live.push(truth('crowd-1', `ep-${n}`, { ...spec, pooler_enabled: n % 3 === 0 }, n));
  }
  return inputOf(rules, [{ label: 'crowd', id: 'crowd-1' }], resources, live);
}
