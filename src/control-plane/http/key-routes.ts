// Routes of API keys ("API keys" of the API page).
import type { ApiKeyCreateRequest } from '../../api/index.ts';
import { badRequest } from '../engine/refusal.ts';
import { createKey, listKeys, revokeKey } from '../services/keys.ts';
import { ok, param } from './route.ts';
import type { Route } from './route.ts';

export const keyRoutes: readonly Route[] = [
  {
    method: 'GET',
    path: '/api_keys',
    id: 'listApiKeys',
    tag: 'API keys',
    summary: 'List the valid keys of the account',
    replies: { 200: 'ServedApiKeyList' },
    run: (call) => ok(listKeys(call)),
  },
  {
    method: 'POST',
    path: '/api_keys',
    id: 'createApiKey',
    tag: 'API keys',
    summary: 'Create a key; its value is shown only in this reply',
    body: 'ApiKeyCreateRequest',
    replies: { 200: 'ApiKeyCreated' },
    run: (call, input) => ok(createKey(call, (input.body as ApiKeyCreateRequest).key_name)),
  },
  {
    method: 'DELETE',
    path: '/api_keys/{key_id}',
    id: 'revokeApiKey',
    tag: 'API keys',
    summary: 'Revoke a key at once and for good',
    replies: { 200: 'ServedApiKeyRevoked' },
    run: (call, input) => {
      const id = param(input, 'key_id');
      if (!/^\d{1,20}$/.test(id)) throw badRequest('revokeApiKey: decode params: path: "key_id": expected an integer');
      return ok(revokeKey(call, String(BigInt(id))));
    },
  },
];
