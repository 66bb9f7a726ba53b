// The routes that the public API has and this service does not model: a request for one gets its name as an answer.
import { TrieRouter } from './web.ts';

/** Methods by path. */
export const unmodelledRoutes: Readonly<Record<string, string>> = {
  '/consumption_history/account': 'GET',
  '/consumption_history/projects': 'GET',
  '/consumption_history/v2/branches': 'GET',
  '/consumption_history/v2/projects': 'GET',
  '/organizations/{org_id}/billing/spending_limit': 'GET PUT DELETE',
  '/organizations/{org_id}/invitations': 'POST',
  '/organizations/{org_id}/members/{member_id}': 'GET PATCH DELETE',
  '/organizations/{org_id}/vpc/region/{region_id}/vpc_endpoints/{vpc_endpoint_id}': 'GET POST DELETE',
  '/organizations/{source_org_id}/projects/transfer': 'POST',
  '/projects/auth/create': 'POST',
  '/projects/auth/keys': 'POST',
  '/projects/auth/transfer_ownership': 'POST',
  '/projects/auth/user': 'POST',
  '/projects/{project_id}/advisors': 'GET',
  '/projects/{project_id}/auth/domains': 'GET POST DELETE',
  '/projects/{project_id}/auth/email_server': 'GET PATCH',
  '/projects/{project_id}/auth/integration/{auth_provider}': 'DELETE',
  '/projects/{project_id}/auth/oauth_providers': 'GET POST',
  '/projects/{project_id}/auth/oauth_providers/{oauth_provider_id}': 'PATCH DELETE',
  '/projects/{project_id}/auth/users/{auth_user_id}': 'DELETE',
  '/projects/{project_id}/branch_anonymized': 'POST',
  '/projects/{project_id}/branches/{branch_id}/ai_gateway': 'GET',
  '/projects/{project_id}/branches/{branch_id}/anonymize': 'POST',
  '/projects/{project_id}/branches/{branch_id}/anonymized_status': 'GET',
  '/projects/{project_id}/branches/{branch_id}/auth': 'GET POST DELETE',
  '/projects/{project_id}/branches/{branch_id}/auth/allow_localhost': 'GET PATCH',
  '/projects/{project_id}/branches/{branch_id}/auth/config': 'PATCH',
  '/projects/{project_id}/branches/{branch_id}/auth/domains': 'GET POST DELETE',
  '/projects/{project_id}/branches/{branch_id}/auth/email_and_password': 'GET PATCH',
  '/projects/{project_id}/branches/{branch_id}/auth/email_provider': 'GET PATCH',
  '/projects/{project_id}/branches/{branch_id}/auth/oauth_providers': 'GET POST',
  '/projects/{project_id}/branches/{branch_id}/auth/oauth_providers/{oauth_provider_id}': 'PATCH DELETE',
  '/projects/{project_id}/branches/{branch_id}/auth/plugins': 'GET',
  '/projects/{project_id}/branches/{branch_id}/auth/plugins/magic-link': 'PATCH',
  '/projects/{project_id}/branches/{branch_id}/auth/plugins/organization': 'PATCH',
  '/projects/{project_id}/branches/{branch_id}/auth/plugins/phone-number': 'GET PATCH',
  '/projects/{project_id}/branches/{branch_id}/auth/send_test_email': 'POST',
  '/projects/{project_id}/branches/{branch_id}/auth/users': 'POST',
  '/projects/{project_id}/branches/{branch_id}/auth/users/{auth_user_id}': 'DELETE',
  '/projects/{project_id}/branches/{branch_id}/auth/users/{auth_user_id}/role': 'PUT',
  '/projects/{project_id}/branches/{branch_id}/auth/webhooks': 'GET PUT',
  '/projects/{project_id}/branches/{branch_id}/backup_schedule': 'PUT',
  '/projects/{project_id}/branches/{branch_id}/buckets': 'POST',
  '/projects/{project_id}/branches/{branch_id}/buckets/{bucket_name}': 'DELETE',
  '/projects/{project_id}/branches/{branch_id}/buckets/{bucket_name}/objects': 'GET',
  '/projects/{project_id}/branches/{branch_id}/buckets/{bucket_name}/objects-by-prefix': 'DELETE',
  '/projects/{project_id}/branches/{branch_id}/buckets/{bucket_name}/objects/{object_key}': 'DELETE',
  '/projects/{project_id}/branches/{branch_id}/buckets/{bucket_name}/objects/{object_key}/download': 'GET',
  '/projects/{project_id}/branches/{branch_id}/buckets/{bucket_name}/objects/{object_key}/presign': 'POST',
  '/projects/{project_id}/branches/{branch_id}/compare_schema': 'GET',
  '/projects/{project_id}/branches/{branch_id}/credentials': 'POST',
  '/projects/{project_id}/branches/{branch_id}/credentials/{token_id}': 'DELETE',
  '/projects/{project_id}/branches/{branch_id}/data-api/{database_name}': 'POST PATCH DELETE GET',
  '/projects/{project_id}/branches/{branch_id}/finalize_restore': 'POST',
  '/projects/{project_id}/branches/{branch_id}/functions/{slug}': 'GET PATCH DELETE',
  '/projects/{project_id}/branches/{branch_id}/functions/{slug}/deployments': 'POST',
  '/projects/{project_id}/branches/{branch_id}/masking_rules': 'GET PATCH',
  '/projects/{project_id}/branches/{branch_id}/schema': 'GET',
  '/projects/{project_id}/branches/{branch_id}/snapshot': 'POST',
  '/projects/{project_id}/branches/{branch_id}/storage': 'GET',
  '/projects/{project_id}/jwks': 'POST',
  '/projects/{project_id}/jwks/{jwks_id}': 'DELETE',
  '/projects/{project_id}/members': 'GET',
  '/projects/{project_id}/members/{member_id}/role': 'DELETE PUT',
  '/projects/{project_id}/snapshots/{snapshot_id}': 'DELETE PATCH',
  '/projects/{project_id}/snapshots/{snapshot_id}/restore': 'POST',
  '/projects/{project_id}/transfer_requests': 'POST',
  '/projects/{project_id}/transfer_requests/{request_id}': 'PUT',
  '/projects/{project_id}/vpc_endpoints/{vpc_endpoint_id}': 'POST DELETE',
  '/users/me/projects/transfer': 'POST',
};

/** A branch has one of these or none. Here it has none, and a request says so. */
export const absentThings: ReadonlySet<string> = new Set([
  '/projects/{project_id}/branches/{branch_id}/auth',
  '/projects/{project_id}/branches/{branch_id}/data-api/{database_name}',
]);

const router = new TrieRouter<string>();
for (const [path, methods] of Object.entries(unmodelledRoutes))
  for (const method of methods.split(' ')) router.add(method, path.replaceAll(/\{(\w+)\}/g, ':$1'), path);

/** The published path that a request names, where it is not modelled. */
export function findUnmodelled(method: string, path: string): string | undefined {
  return router.match(method, path)[0][0]?.[0];
}
