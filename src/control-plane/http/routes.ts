// The route table: every route of the API.
import { branchRoutes } from './branch-routes.ts';
import { computeRoutes } from './compute-routes.ts';
import { databaseRoutes } from './database-routes.ts';
import { keyRoutes } from './key-routes.ts';
import { operationRoutes } from './operation-routes.ts';
import { projectRoutes } from './project-routes.ts';
import type { Route } from './route.ts';
import { userRoutes } from './user-routes.ts';

export const routes: readonly Route[] = [
  ...keyRoutes,
  ...projectRoutes,
  ...computeRoutes,
  ...operationRoutes,
  ...branchRoutes,
  ...databaseRoutes,
  ...userRoutes,
];
