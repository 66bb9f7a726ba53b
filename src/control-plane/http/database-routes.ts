// Routes of roles, databases and connection strings: what public clients need of them.
import type { DatabaseCreateRequest, DatabaseUpdateRequest, RoleCreateRequest } from '../../api/index.ts';
import { presentDatabase, presentRole } from '../present.ts';
import {
  connectionUri,
  createDatabase,
  createRole,
  deleteDatabase,
  deleteRole,
  findDatabase,
  findRole,
  passwordOf,
  resetPassword,
  updateDatabase,
} from '../services/databases.ts';
import { findBranch } from '../services/lookups.ts';
import { idsOf } from './branch-routes.ts';
import { created, ok, okOrNothing, param } from './route.ts';
import type { Route } from './route.ts';

const BRANCH = '/projects/{project_id}/branches/{branch_id}';
const ROLE = `${BRANCH}/roles/{role_name}`;
const DATABASE = `${BRANCH}/databases/{database_name}`;

const roleRoutes: readonly Route[] = [
  {
    method: 'GET',
    path: `${BRANCH}/roles`,
    id: 'listProjectBranchRoles',
    tag: 'Branches',
    summary: 'List the roles of a branch',
    replies: { 200: 'RoleList' },
    run: (call, input) => {
      const branch = findBranch(call.engine, ...idsOf(input));
      return ok({ roles: branch.roles.map((role) => presentRole(role, branch.id)) });
    },
  },
  {
    method: 'POST',
    path: `${BRANCH}/roles`,
    id: 'createProjectBranchRole',
    tag: 'Branches',
    summary: 'Create a role',
    body: 'RoleCreateRequest',
    replies: { 201: 'RoleOperationsReply' },
    run: (call, input) => created(createRole(call, ...idsOf(input), (input.body as RoleCreateRequest).role.name)),
  },
  {
    method: 'GET',
    path: ROLE,
    id: 'getProjectBranchRole',
    tag: 'Branches',
    summary: 'One role',
    replies: { 200: 'RoleReply' },
    run: (call, input) => {
      const branch = findBranch(call.engine, ...idsOf(input));
      return ok({ role: presentRole(findRole(branch, param(input, 'role_name')), branch.id) });
    },
  },
  {
    method: 'DELETE',
    path: ROLE,
    id: 'deleteProjectBranchRole',
    tag: 'Branches',
    summary: 'Delete a role',
    replies: { 200: 'RoleOperationsReply', 204: null },
    run: (call, input) => okOrNothing(deleteRole(call, ...idsOf(input), param(input, 'role_name'))),
  },
  {
    method: 'GET',
    path: `${ROLE}/reveal_password`,
    id: 'getProjectBranchRolePassword',
    tag: 'Branches',
    summary: 'The password of a role: a fixed one that opens nothing',
    replies: { 200: 'RolePasswordReply' },
    run: (call, input) => {
      const branch = findBranch(call.engine, ...idsOf(input));
      return ok({ password: passwordOf(branch, findRole(branch, param(input, 'role_name'))) });
    },
  },
  {
    method: 'POST',
    path: `${ROLE}/reset_password`,
    id: 'resetProjectBranchRolePassword',
    tag: 'Branches',
    summary: 'Give a role a new password',
    replies: { 200: 'RoleOperationsReply' },
    run: (call, input) => ok(resetPassword(call, ...idsOf(input), param(input, 'role_name'))),
  },
];

export const databaseRoutes: readonly Route[] = [
  ...roleRoutes,
  {
    method: 'GET',
    path: `${BRANCH}/databases`,
    id: 'listProjectBranchDatabases',
    tag: 'Branches',
    summary: 'List the databases of a branch',
    replies: { 200: 'DatabaseList' },
    run: (call, input) => {
      const branch = findBranch(call.engine, ...idsOf(input));
      return ok({ databases: branch.databases.map((database) => presentDatabase(database, branch.id)) });
    },
  },
  {
    method: 'POST',
    path: `${BRANCH}/databases`,
    id: 'createProjectBranchDatabase',
    tag: 'Branches',
    summary: 'Create a database',
    body: 'DatabaseCreateRequest',
    replies: { 201: 'DatabaseOperationsReply' },
    run: (call, input) =>
      created(createDatabase(call, ...idsOf(input), (input.body as DatabaseCreateRequest).database)),
  },
  {
    method: 'GET',
    path: DATABASE,
    id: 'getProjectBranchDatabase',
    tag: 'Branches',
    summary: 'One database',
    replies: { 200: 'DatabaseReply' },
    run: (call, input) => {
      const branch = findBranch(call.engine, ...idsOf(input));
      return ok({ database: presentDatabase(findDatabase(branch, param(input, 'database_name')), branch.id) });
    },
  },
  {
    method: 'PATCH',
    path: DATABASE,
    id: 'updateProjectBranchDatabase',
    tag: 'Branches',
    summary: 'Rename a database or change its owner',
    body: 'DatabaseUpdateRequest',
    replies: { 200: 'DatabaseOperationsReply' },
    run: (call, input) => {
      const { database } = input.body as DatabaseUpdateRequest;
      return ok(updateDatabase(call, ...idsOf(input), param(input, 'database_name'), database));
    },
  },
  {
    method: 'DELETE',
    path: DATABASE,
    id: 'deleteProjectBranchDatabase',
    tag: 'Branches',
    summary: 'Delete a database',
    replies: { 200: 'DatabaseOperationsReply', 204: null },
    run: (call, input) => okOrNothing(deleteDatabase(call, ...idsOf(input), param(input, 'database_name'))),
  },
  {
    method: 'GET',
    path: '/projects/{project_id}/connection_uri',
    id: 'getConnectionUri',
    tag: 'Branches',
    summary: 'A connection string',
    query: [
      { name: 'branch_id', type: 'string', description: 'Branch; default: that of the compute.' },
      { name: 'endpoint_id', type: 'string', description: 'Compute; default: the oldest of the branch.' },
      { name: 'database_name', type: 'string', description: 'Database; default: the first.' },
      { name: 'role_name', type: 'string', description: 'Role; default: the first.' },
      { name: 'pooled', type: 'boolean', description: 'Through the pooler.' },
    ],
    replies: { 200: 'ConnectionUriReply' },
    run: (call, input) => ok({ uri: connectionUri(call.engine, param(input, 'project_id'), input.query) }),
  },
];
