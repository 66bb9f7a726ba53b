// A program of Alchemy's users: a project and a branch as they are wished for on the command line, or their end.
// usage: node alchemy-app.mjs FOLDER_OF_PACKAGES up|destroy WISH_JSON
import { join } from 'node:path';
import process from 'node:process';
import { pathToFileURL } from 'node:url';

const [, , packages, phase, wish = '{}'] = process.argv;
const load = (file) => import(pathToFileURL(join(packages, 'alchemy', 'lib', file)).href);
const { default: alchemy } = await load('index.js');
const { NeonBranch, NeonProject } = await load(join('neon', 'index.js'));

const quietly = { quiet: true, telemetry: false };
const app = await alchemy('clients', { stage: 'test', phase, password: 'for-tests-only', ...quietly });
const access = { baseUrl: process.env.TRUEUP_BASE_URL, apiKey: alchemy.secret(process.env.NEON_API_KEY) };
const { project: asked, branch } = JSON.parse(wish);
if (asked !== undefined) {
  const project = await NeonProject('project', { ...access, ...asked });
  const made = branch === undefined ? undefined : await NeonBranch('branch', { ...access, project, ...branch });
  const uris = (made ?? project).connectionUris ?? project.connection_uris;
  const told = { projectId: project.id, branchId: made?.id, uri: uris?.[0]?.connection_uri.unencrypted };
  process.stdout.write(`told ${JSON.stringify(told)}\n`);
}
await app.finalize();
