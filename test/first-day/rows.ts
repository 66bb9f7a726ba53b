// What a new user with the habits of other tools types on the first day: a row each, with the files it needs. The transcripts beside show the answers.

export interface Row {
  /** Texts by path. */
  readonly files?: Readonly<Record<string, string>>;
  /** YAML of what is live; the world of a new store where it is left out. */
  readonly world?: string;
  /** Lines as of a transcript. */
  readonly commands: readonly string[];
}

const SHOP = `version: 1
projects:
  shop:
    branches: { main: br-wispy-meadow-118737 }
    computes:
      primary: { branch: main, autoscaling_limit_max_cu: 2 }
`;

/** Five replicas and an unlisted primary: what lists and plans show of it is wider than 80 columns. */
const FLEET = `version: 1
projects:
  - id: payments-000001
    name: payments
    branches:
      - { id: br-payments-main-000001, name: main, default: true }
      - { id: br-payments-copy-000002, name: copy }
      - { id: br-payments-free-000003, name: free }
    computes:
      - { id: ep-payments-primary-000001, branch: main, autoscaling_limit_min_cu: 1, autoscaling_limit_max_cu: 2, created_at: -2d }
      - { id: ep-payments-replica-000002, branch: main, type: read_only, created_at: -2d }
      - { id: ep-payments-copy-000003, branch: copy, autoscaling_limit_max_cu: 4, created_at: -2d }
`;

const PAYMENTS = `version: 1
projects:
  payments:
    branches: { main: br-payments-main-000001 }
    computes:
      primary: { branch: main, autoscaling_limit_max_cu: 2 }
`;

/** A state of Terraform. */
const stateOf = (...resources: readonly object[]): string => JSON.stringify({ version: 4, resources });
const managed = (type: string, name: string, attributes: object): object => ({
  mode: 'managed',
  type,
  name,
  instances: [{ attributes }],
});

/** By title. */
export const rows: Readonly<Record<string, Row>> = {
  'trueup alone, in an empty folder': { commands: ['trueup'] },
  'init, and the schema that editors find': { commands: ['trueup init', 'trueup init -f db.yaml', 'head trueup.yaml'] },
  'import, and the schema that editors find': {
    commands: ['trueup import --local --out-dir infra', 'head infra/shop.yaml'],
  },
  'words and flags of other tools': {
    commands: [
      'trueup destroy',
      'trueup restart shop/primary',
      'trueup psql',
      'trueup plan -out=p.json',
      'trueup plan --api-key sekret',
      'trueup list -o json',
      'trueup apply --prune',
      'trueup import neon_endpoint.writer ep-cool-darkness-123456',
      'trueup explain shop/primary',
      'trueup import --local --project nope',
    ],
  },
  'a target that is nearly one, and one that is none': {
    files: { 'trueup.yaml': PAYMENTS },
    world: FLEET,
    commands: [
      'trueup plan --local --target payment',
      'trueup plan --local --target paymnts/primary',
      'trueup plan --local --target nope',
      'trueup list --local nope/x',
    ],
  },
  'files that are not there': {
    commands: [
      'trueup plan --local nothere.yaml',
      'trueup plan --local --overlay nothere.yaml',
      'trueup apply --local nothere.yaml',
      'trueup apply --local nothere.json',
    ],
  },
  'a file where addresses, or none, or other files are taken': {
    files: { 'trueup.yaml': SHOP },
    commands: [
      'trueup drift --local trueup.yaml',
      'trueup list --local trueup.yaml',
      'trueup show trueup.yaml',
      'trueup keys --local shop/primary',
      'trueup serve stop',
    ],
  },
  tables: {
    files: { 'trueup.yaml': PAYMENTS },
    world: FLEET,
    commands: ['trueup list --local', 'trueup keys --local'],
  },
  'operations followed to their end': {
    files: { 'trueup.yaml': SHOP },
    commands: [
      'trueup operations --local --limit 2',
      'trueup operations --local --running --follow',
      'start POST /projects/spring-example-302709/endpoints/ep-cool-darkness-123456/start',
      'trueup operations --local --running --follow',
    ],
  },
  'a shared folder with subfolders, several paths behind one flag, and an overlay': {
    files: {
      'infra/profiles.yaml':
        'version: 1\nprofiles:\n  web: { autoscaling_limit_max_cu: 4, suspend_timeout_seconds: 10m }\n',
      'infra/teams/shop/primary.yaml': SHOP.replace(
        'autoscaling_limit_max_cu: 2',
        'use: web, settings: { pg_settings: { work_mem: 64MB } }',
      ),
      'prod.yaml':
        'version: 1\nprofiles: { web: { suspend_timeout_seconds: 5m } }\nprojects:\n  shop:\n    computes:\n      primary: { autoscaling_limit_max_cu: 8 }\n',
      'other.yaml': 'version: 1\nprojects: { shop: { computes: { primary: null } } }\n',
    },
    commands: [
      'trueup plan --local -f infra',
      'trueup plan --local -f infra --overlay prod.yaml',
      'trueup plan --local -f infra/profiles.yaml infra/teams --overlay prod.yaml',
      'trueup plan --local -f infra prod.yaml',
      'trueup plan --local -f infra --overlay other.yaml',
      'trueup plan --local -f infra --overlay prod.yaml -q --write html=plan.html',
      'sources plan.html',
    ],
  },
  'the prompt': {
    files: { 'trueup.yaml': SHOP },
    commands: ['trueup apply --local <<< no', 'trueup apply --local <<< yes'],
  },
  'a drop at the prompt: another word, and its address with no yes after it': {
    files: {
      'trueup.yaml': `version: 1
projects:
  shop:
    branches:
      main: {}
      dev: { state: absent }
safety: { drop: { unless_idle: 7d } }
`,
      'two.yaml':
        'version: 1\nprojects: { shop: { branches: { dev: { state: absent }, staging: { state: absent } } } }\n',
      'shorter.yaml':
        'version: 1\nprojects: { shop: { history_retention_seconds: 1h, branches: { dev: { state: absent } } } }\n',
    },
    commands: [
      'trueup apply --local <<< y',
      'trueup apply --local <<< shop/branches/dev',
      'trueup apply --local -f two.yaml <<< shop/branches/dev',
      'trueup apply --local -f shorter.yaml <<< y',
    ],
  },
  'a branch by a name that the file does not explain, and where the ids are': {
    files: { 'trueup.yaml': 'version: 1\nprojects: { shop: { computes: { primary: { branch: main } } } }\n' },
    commands: ['trueup plan --local', 'trueup list --local --tree'],
  },
  'a saved plan where files are taken': {
    files: { 'trueup.yaml': SHOP },
    commands: [
      'trueup plan --local -q -o p.json',
      'trueup apply --local -f trueup.yaml p.json',
      'trueup plan --local -f p.json',
    ],
  },
  'import with the names of a state that the account does not have': {
    files: {
      'terraform.tfstate': stateOf(
        managed('neon_endpoint', 'writer', { id: 'ep-long-gone-000001', project_id: 'spring-example-302709' }),
        managed('neon_project', 'gone', { id: 'gone-000001', name: 'gone' }),
        managed('neon_project', 'store', { id: 'spring-example-302709', name: 'shop' }),
      ),
    },
    commands: [
      'trueup import --local --from-terraform terraform.tfstate',
      "trueup import --local --from-terraform terraform.tfstate --project 'shop'",
    ],
  },
};
