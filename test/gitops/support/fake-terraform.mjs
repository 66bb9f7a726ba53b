// A stand-in for the `terraform` program: `state pull`, `state list` and `state rm` over the file terraform.tfstate.
import { readFileSync, writeFileSync } from 'node:fs';
import { argv, exit, stderr, stdout } from 'node:process';

const path = 'terraform.tfstate';
const text = readFileSync(path, 'utf8');
const state = JSON.parse(text);
const addressOf = ({ type, name }) => `${type}.${name}`;
const [group, verb, ...addresses] = argv.slice(2);
const unknown = addresses.filter((address) => !state.resources.some((resource) => addressOf(resource) === address));
if (group !== 'state' || unknown.length > 0) {
  stderr.write(`Error: ${unknown.join(' ')}\n`);
  exit(1);
}
if (verb === 'pull') stdout.write(text);
else if (verb === 'list') stdout.write(state.resources.map((resource) => `${addressOf(resource)}\n`).join(''));
else if (verb === 'rm') {
  const resources = state.resources.filter((resource) => !addresses.includes(addressOf(resource)));
  writeFileSync(path, JSON.stringify({ ...state, serial: state.serial + 1, resources }));
} else exit(1);
