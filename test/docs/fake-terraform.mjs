// A stand-in for the `terraform` program: `state pull` and `state rm` over a state of the project shop.
import { argv, exit, stdout } from 'node:process';

const project_id = 'spring-example-302709';
const branch_id = 'br-wispy-meadow-118737';
const resource = (type, name, attributes) => ({
  mode: 'managed',
  type,
  name,
  provider: 'provider["registry.terraform.io/kislerdm/neon"]',
  instances: [{ schema_version: 8, attributes, sensitive_attributes: [] }],
});
const resources = [
  resource('neon_project', 'shop', { id: project_id, connection_uri: 'postgres://app:canary@shop.example.com/app' }),
  resource('neon_endpoint', 'writer', { id: 'ep-cool-darkness-123456', project_id, branch_id, type: 'read_write' }),
];
const [, verb, ...addresses] = argv.slice(2);
const state = { version: 4, terraform_version: '1.11.4', serial: 7, lineage: 'x', outputs: {}, resources };
if (verb === 'pull') stdout.write(JSON.stringify(state));
else if (verb !== 'rm' || addresses.some((one) => !resources.some(({ type, name }) => one === `${type}.${name}`)))
  exit(1);
