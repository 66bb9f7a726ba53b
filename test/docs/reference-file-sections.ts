// The sections of the reference of the file: common jobs, and the keys that each section shows.

/** Where the YAML of a job stands: at the top of the file, in the project shop, in its branch main, or in its compute primary. */
export type Level = 'file' | 'project' | 'branch' | 'compute';

export interface Section {
  readonly title: string;
  readonly intro: string;
  readonly level: Level;
  /** A wish, and the YAML that fulfils it. */
  readonly jobs: readonly (readonly [wish: string, yaml: string])[];
  /** The path of the mapping whose keys are shown. */
  readonly path: string;
  /** Keys below it that other sections show, or whose members do. */
  readonly without?: readonly string[];
}

const PROJECT = 'projects.PROJECT';
const BRANCH = `${PROJECT}.branches.NAME`;
const COMPUTE = `${PROJECT}.computes.NAME`;

export const sections: readonly Section[] = [
  {
    title: 'Top level',
    intro: 'Write these keys at the top level of the file.',
    level: 'file',
    jobs: [
      ['manage a project by its id', 'projects: { shop: { id: spring-example-302709 } }'],
      ['stop if the API key belongs to another account', 'expect: { has_project: spring-example-302709 }'],
      ['share settings between computes', 'profiles: { prod: { autoscaling_limit_max_cu: 4 } }'],
    ],
    path: '',
    without: ['projects', 'profiles', 'safety', 'api_keys', 'org_api_keys'],
  },
  {
    title: 'Project',
    intro: '`projects: { LABEL: … }`. Address: `LABEL`.',
    level: 'project',
    jobs: [
      ['create the project if it is missing', 'create: { region_id: aws-us-east-2, pg_version: 17 }'],
      ['keep the history of branches for a week', 'history_retention_seconds: 7d'],
      ['allow connections from one network only', 'settings: { allowed_ips: { ips: [203.0.113.0/24] } }'],
      ['delete read replicas that no file lists', 'prune: { types: [read_only] }'],
      ['share the project with a user', 'permissions: { dana@example.com: {} }'],
    ],
    path: PROJECT,
    without: [
      'safety',
      'branches',
      'previews',
      'retention',
      'computes',
      'permissions',
      'settings.preload_libraries.',
      'lifecycle',
    ],
  },
  {
    title: 'Branch',
    intro: 'In a project, `branches: { LABEL: … }`. Address: `PROJECT/branches/LABEL`.',
    level: 'project',
    jobs: [
      ['give a live branch a label', 'branches: { live: br-calm-sea-220011 }'],
      ['create a branch', 'branches: { preview: { from: main } }'],
      [
        'create a branch with the data of an earlier time',
        'branches: { before: { from: { branch: main, at: 2026-11-20T00:00:00Z } } }',
      ],
      ['create a branch that expires', 'branches: { scratch: { from: main, ttl: 14d } }'],
      ['protect a branch in the service itself', 'branches: { production: { protected: true } }'],
    ],
    path: BRANCH,
    without: ['roles', 'databases', 'connections', 'lifecycle'],
  },
  {
    title: 'Preview set',
    intro:
      'In a project, `previews: { SET: … }`. Address: `PROJECT/previews/SET/KEY`. A set has `computes`, `roles`, `databases` and `connections`, too. In texts, `{key}` is the key.',
    level: 'project',
    jobs: [
      [
        'keep a branch for each open pull request',
        'previews: { pr: { each: [123, 124], name: "preview/pr-{key}", from: staging, ttl: 7d, max: 20, gone: delete } }',
      ],
    ],
    path: `${PROJECT}.previews.NAME`,
    without: ['computes', 'roles', 'databases', 'connections', 'from.'],
  },
  {
    title: 'Retention rule',
    intro:
      "In a project, `retention: { RULE: … }`. Address: `PROJECT/retention/RULE/BRANCH-ID`. Only `apply --due` with `--allow 'drop:PROJECT/retention/RULE/**'`, or your answer at the prompt, deletes what a rule takes. Neither `max_drops` nor `unless_idle` counts.",
    level: 'project',
    jobs: [
      [
        'delete leftover branches of a hosting integration',
        'retention: { previews: { match: ["preview/*"], older_than: 7d, idle_for: 24h, max: 20 } }',
      ],
    ],
    path: `${PROJECT}.retention.NAME`,
  },
  {
    title: 'Role',
    intro: 'In a branch, `roles: { NAME: … }`. Address: `PROJECT/branches/LABEL/roles/NAME`.',
    level: 'branch',
    jobs: [
      ['create a role and store its password', 'roles: { app: { password: { file: shop-app.json } } }'],
      [
        'reset the password of a role every 90 days',
        'roles: { app: { password: { file: a.json }, rotate: { every: 90d } } }',
      ],
    ],
    path: `${BRANCH}.roles.NAME`,
    without: ['password.', 'lifecycle'],
  },
  {
    title: 'Database',
    intro: 'In a branch, `databases: { NAME: … }`. Address: `PROJECT/branches/LABEL/databases/NAME`.',
    level: 'branch',
    jobs: [
      ['create a database', 'databases: { orders: { owner: app } }'],
      ['rename a database', 'databases: { audit: { renamed_from: log } }'],
    ],
    path: `${BRANCH}.databases.NAME`,
    without: ['lifecycle'],
  },
  {
    title: 'Connection',
    intro: 'In a branch, `connections: { NAME: … }`. Address: `PROJECT/branches/LABEL/connections/NAME`.',
    level: 'branch',
    jobs: [
      [
        'store a connection string',
        'connections: { app: { role: app, database: orders, secret: { file: shop-uri.json } } }',
      ],
    ],
    path: `${BRANCH}.connections.NAME`,
    without: ['secret.'],
  },
  {
    title: 'Compute',
    intro:
      'In a project, `computes: { LABEL: … }`. Address: `PROJECT/LABEL`. A profile, `profiles: { NAME: … }`, can have `autoscaling_limit_min_cu` and the keys below it in the second table.',
    level: 'project',
    jobs: [
      [
        'create a primary that scales',
        'computes: { primary: { branch: main, autoscaling_limit_min_cu: 0.25, autoscaling_limit_max_cu: 2 } }',
      ],
      ['add a read replica', 'computes: { reports: { branch: main, type: read_only } }'],
      [
        'set a Postgres parameter',
        'computes: { primary: { branch: main, settings: { pg_settings: { work_mem: 64MB } } } }',
      ],
      ['move a primary and its host to another branch', 'computes: { primary: { branch: staging, moved_from: main } }'],
      [
        'restart a compute weekly with `apply --due`',
        'computes: { primary: { branch: main, restart: { max_age: 7d } } }',
      ],
    ],
    path: COMPUTE,
    without: ['lifecycle'],
  },
  {
    title: 'Permission',
    intro: 'In a project, `permissions: { EMAIL: … }`. Address: `PROJECT/permissions/EMAIL`.',
    level: 'project',
    jobs: [['end the access of a user', 'permissions: { old@example.com: { state: absent } }']],
    path: `${PROJECT}.permissions.NAME`,
    without: ['lifecycle'],
  },
  {
    title: 'API key',
    intro: '`api_keys: { NAME: … }`. Address: `api_keys/NAME`.',
    level: 'file',
    jobs: [
      ['create a key and store its value', 'api_keys: { ci-deploy: { secret: { file: ci-deploy.json } } }'],
      [
        'replace a key every 90 days',
        'api_keys: { ci: { secret: { file: ci.json }, rotate: { every: 90d, overlap: 7d } } }',
      ],
      ['revoke a key', 'api_keys: { old-laptop: { state: absent } }'],
    ],
    path: 'api_keys.NAME',
    without: ['secret.', 'lifecycle'],
  },
  {
    title: 'Organization key',
    intro:
      '`org_api_keys: { NAME: … }`. Address: `org_api_keys/NAME`. The entry of an organization key can have all keys of the section _API key_, and these:',
    level: 'file',
    jobs: [
      [
        'create a key with access to one project',
        'org_api_keys: { deploy: { org: org-spring-garden-12345, project: shop, secret: { file: deploy.json } } }',
      ],
    ],
    path: 'org_api_keys.NAME',
    without: ['name', 'id', 'state', 'secret', 'rotate', 'lifecycle'],
  },
  {
    title: 'Secret sinks',
    intro: '`secret:` and `password:` take one sink or a list of sinks.',
    level: 'file',
    jobs: [['store a secret in two sinks', 'api_keys: { ci: { secret: [{ file: ci.json }, { exec: vault }] } }']],
    path: 'api_keys.NAME.secret',
  },
  {
    title: 'Limits',
    intro: 'Write `safety:` at the top level of the file, in a project, or in a file that you give with `--safety`.',
    level: 'file',
    jobs: [
      ['protect every primary', 'safety: { protect: ["*/primary"] }'],
      ['limit deletions and restarts', 'safety: { max_deletes: 1, max_restarts: 3 }'],
      ['drop connections on Sunday nights only', 'safety: { windows: ["Sun 02:00-04:00 Europe/Berlin"] }'],
    ],
    path: 'safety',
  },
  {
    title: 'Guards on a resource',
    intro:
      'Write `lifecycle:` in the entry of any resource except a connection. The entry of an API key can have `protect` only.',
    level: 'compute',
    jobs: [
      ['never delete or replace a resource', 'lifecycle: { protect: true }'],
      ['let another tool manage an attribute', 'lifecycle: { ignore: [autoscaling_limit_max_cu] }'],
      [
        'accept a difference until a date',
        'lifecycle: { hold: [{ path: disabled, value: true, until: 2026-12-31, reason: INC-4211 }] }',
      ],
    ],
    path: `${COMPUTE}.lifecycle`,
  },
];

/** The file in which the YAML of a job stands. */
export function fileOf(level: Level, yaml: string): string {
  if (level === 'file') return `version: 1\n${yaml}\n`;
  if (level === 'project') return `version: 1\nprojects:\n  shop:\n    ${yaml}\n`;
  const home =
    level === 'branch' ? 'branches: { main: { id: br-wispy-meadow-118737' : 'computes: { primary: { branch: main';
  return `version: 1\nprojects: { shop: { ${home}, ${yaml} } } } }\n`;
}

/** A second file, in which the YAML of some jobs finds what it refers to. */
export const around: Readonly<Record<Level, string>> = {
  file: 'version: 1\nprojects: { shop: {} }\n',
  project:
    'version: 1\nprojects: { shop: { branches: { main: br-wispy-meadow-118737, staging: br-old-river-991122 } } }\n',
  branch: 'version: 1\n',
  compute: 'version: 1\nprojects: { shop: { branches: { main: br-wispy-meadow-118737 } } }\n',
};
