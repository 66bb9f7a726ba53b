// Who am I: the user and the account behind a key.
import { ok } from '../http/route.ts';
import type { Route } from '../http/route.ts';

export const userRoutes: readonly Route[] = [
  {
    method: 'GET',
    path: '/users/me',
    id: 'getCurrentUserInfo',
    tag: 'Users',
    summary: 'The user of the account',
    replies: { 200: 'CurrentUser' },
    run: ({ engine }) => {
      const { id, name, email } = engine.state.meta.account;
      const plan = engine.switches.plan === 'free' ? 'free' : 'scale';
      const limits = { projects_limit: 1000, branches_limit: 5000, max_autoscaling_limit: 16 };
      return ok({ id, email, login: email, name, last_name: '', image: '', plan, ...limits, auth_accounts: [] });
    },
  },
  {
    method: 'GET',
    path: '/users/me/organizations',
    id: 'getCurrentUserOrganizations',
    tag: 'Users',
    summary: 'Organizations of the user: none, keys are global to the account',
    replies: { 200: 'OrganizationList' },
    run: () => ok({ organizations: [] }),
  },
  {
    method: 'GET',
    path: '/auth',
    id: 'getAuthDetails',
    tag: 'Users',
    summary: 'The account that the key belongs to',
    replies: { 200: 'AuthDetails' },
    run: ({ engine }) => ok({ account_id: engine.state.meta.account.id, auth_method: 'api_key_user' }),
  },
];
