// What becomes of each member of each body: where it is shown once it was stored, or that it is refused, and how.
import { DEV, MAIN, STAGING } from '../world.ts';

export interface Row {
  readonly request: string;
  readonly path: string;
  /** A value that is not what the member has without being sent; the path `source_branch_id` and other ids are those of the default world. */
  readonly value: unknown;
  /** Where the value is shown; absent: it is refused. */
  readonly shown?: string;
  /** What is shown where that is not the value itself; null is nothing. */
  readonly as?: unknown;
  /** Status of the refusal. */
  readonly status?: number;
  /** For the page: why it is refused, or how it is shown. */
  readonly note?: string;
  /** What else the body must have for the value to be good. */
  readonly with?: Readonly<Record<string, unknown>>;
}

type More = Pick<Row, 'note' | 'as' | 'with'>;
/** A row in short: `shown` is a place (by default the path), or the status of a refusal. */
type Cells = readonly [path: string, value: unknown, shown?: string | number | undefined, more?: More];

const rowsOf = (request: string, cells: readonly Cells[]): Row[] =>
  cells.map(([path, value, shown = path, more]) => ({
    request,
    path,
    value,
    ...(typeof shown === 'number' ? { status: shown } : { shown }),
    ...more,
  }));

const HIPAA = { note: 'for organizations that allow HIPAA, and ours does not' };
const window = (member: string, value: unknown): Cells => {
  const path = 'project.settings.maintenance_window';
  const around = { [path]: { weekdays: [7], start_time: '03:00', end_time: '04:00' } };
  return [`${path}.${member}`, value, `${path}.${member}`, { with: around }];
};

const projectSettings: readonly Cells[] = [
  ...'active_time_seconds compute_time_seconds written_data_bytes data_transfer_bytes logical_size_bytes'
    .split(' ')
    .map((name): Cells => [`project.settings.quota.${name}`, 77]),
  ['project.settings.allowed_ips.ips', ['192.0.2.1']],
  ['project.settings.allowed_ips.protected_branches_only', true],
  ['project.settings.enable_logical_replication', true],
  window('weekdays', [2]),
  window('start_time', '11:00'),
  window('end_time', '12:00'),
  ['project.settings.block_public_connections', true],
  ['project.settings.block_vpc_connections', true],
  ['project.settings.audit_log_level', 'full', 422, HIPAA],
  ['project.settings.hipaa', true, 422, HIPAA],
  ['project.settings.preload_libraries.use_defaults', false],
  ['project.settings.preload_libraries.enabled_libraries', ['pg_cron']],
];
const projectCells: readonly Cells[] = [
  ['project.name', 'a name'],
  ['project.history_retention_seconds', 3600],
  ...projectSettings,
  ['project.default_endpoint_settings.pg_settings', { work_mem: '8MB' }],
  ['project.default_endpoint_settings.pgbouncer_settings', { default_pool_size: 9 }],
  ['project.default_endpoint_settings.autoscaling_limit_min_cu', 2],
  ['project.default_endpoint_settings.autoscaling_limit_max_cu', 4],
  ['project.default_endpoint_settings.suspend_timeout_seconds', 600],
];

const sizes: readonly (readonly [name: string, value: unknown])[] = [
  ['autoscaling_limit_min_cu', 2],
  ['autoscaling_limit_max_cu', 4],
  ['provisioner', 'k8s-pod'],
  ['settings.pg_settings', { work_mem: '8MB' }],
  ['settings.pgbouncer_settings', { default_pool_size: 9 }],
  ['settings.preload_libraries.use_defaults', false],
  ['settings.preload_libraries.enabled_libraries', ['pg_cron']],
  ['suspend_timeout_seconds', 600],
];
const computeCells = (under: string, shownUnder: string): Cells[] =>
  sizes.map(([name, value]): Cells => {
    const more = name === 'autoscaling_limit_min_cu' ? { with: { [`${under}.autoscaling_limit_max_cu`]: 8 } } : {};
    return [`${under}.${name}`, value, `${shownUnder}.${name}`, more];
  });
const ownComputeCells: readonly Cells[] = [
  ...computeCells('endpoint', 'endpoint'),
  ['endpoint.pooler_enabled', true],
  ['endpoint.pooler_mode', 'session', 400, { note: 'there is no other mode than `transaction`' }],
  ['endpoint.disabled', true],
  ['endpoint.passwordless_access', false],
  ['endpoint.name', 'a name'],
];

const databaseCells: readonly Cells[] = [
  ['database.name', 'other'],
  ['database.owner_name', 'app'],
];

/** A minute before the worlds of the tests begin, in both forms. */
const PAST_TIME = '2025-12-31T23:59:00.000Z';
const PAST_PLACE = '0/9BCCBEF0';
/** The role that every world gets was not there then. */
const PAST = { note: 'as the roles and databases of then', with: { source_branch_id: MAIN }, as: null };
const SOON = '2026-01-20T00:00:00.000Z';

export const rows: readonly Row[] = [
  ...rowsOf('createApiKey', [['key_name', 'ci', 'key.name']]),
  ...rowsOf('createOrgApiKey', [
    ['key_name', 'ci', 'key.name'],
    ['project_id', 'spring-example-302709', 'key.project_id'],
  ]),
  ...rowsOf('createProject', [
    ...projectCells,
    ['project.region_id', 'aws-eu-central-1'],
    ['project.pg_version', 15],
    ['project.branch.name', 'trunk', 'branch.name'],
    ['project.branch.role_name', 'app', 'roles.0.name'],
    ['project.branch.database_name', 'appdb', 'databases.0.name'],
    ['project.branch.annotations', { run: 'r1' }, 'annotation.value'],
    ['project.org_id', 'org-of-others-1', 400, { note: 'the account has one organization, shown as `project.org_id`' }],
    ['project.provisioner', 'k8s-pod'],
    ['project.store_passwords', false],
    ['project.autoscaling_limit_min_cu', 2, 'endpoints.0.autoscaling_limit_min_cu'],
    ['project.autoscaling_limit_max_cu', 4, 'endpoints.0.autoscaling_limit_max_cu'],
  ]),
  ...rowsOf('updateProject', projectCells),
  ...rowsOf('grantPermissionToProject', [['email', 'other@example.com', 'permission.granted_to_email']]),
  ...rowsOf('createProjectEndpoint', [
    ...ownComputeCells,
    ['endpoint.branch_id', MAIN],
    ['endpoint.type', 'read_write'],
    ['endpoint.region_id', 'aws-eu-central-1', 400, { note: 'a compute is in the region of its project' }],
  ]),
  ...rowsOf('updateProjectEndpoint', [...ownComputeCells, ['endpoint.branch_id', STAGING]]),
  ...rowsOf('createProjectBranch', [
    ['branch.name', 'feature'],
    ['branch.parent_id', STAGING],
    ['branch.parent_lsn', PAST_PLACE],
    ['branch.parent_timestamp', PAST_TIME],
    ['branch.protected', true],
    ['branch.archived', true, 'branch.current_state', { note: 'as a state', as: 'archived' }],
    ['branch.init_source', 'schema-only', undefined, { note: '`parent-schema` and `import` are answered 501' }],
    ['branch.expires_at', SOON],
    ...computeCells('endpoints[]', 'endpoints.0'),
    ['endpoints[].type', 'read_only', 'endpoints.0.type'],
    ['annotation_value', { run: 'r1' }, 'annotation.value'],
  ]),
  ...rowsOf('updateProjectBranch', [
    ['branch.name', 'renamed'],
    ['branch.protected', true],
    ['branch.expires_at', SOON, undefined, { note: '`null` takes it away' }],
  ]),
  ...rowsOf('restoreProjectBranch', [
    ['source_branch_id', DEV, 'branch.parent_id', { note: 'as the parent, unless it is the branch itself' }],
    ['source_lsn', PAST_PLACE, 'roles.1', PAST],
    ['source_timestamp', PAST_TIME, 'roles.1', PAST],
    ['preserve_under_name', 'old', 'preserved.name', { note: 'as a branch of that name' }],
  ]),
  ...rowsOf('createProjectBranchRole', [
    ['role.name', 'other'],
    ['role.no_login', true, 'role.authentication_method', { note: 'as a method', as: 'no_login' }],
  ]),
  ...rowsOf('createProjectBranchDatabase', databaseCells),
  ...rowsOf('updateProjectBranchDatabase', databaseCells),
];
