// A stand-in for the `gh` program: the routes that the action uses, over a file with what the repository holds.
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { argv, env, exit, stdin, stdout, stderr } from 'node:process';

const path = env.FAKE_GH_STATE;
const state = JSON.parse(readFileSync(path, 'utf8'));
const words = argv.slice(2);
appendFileSync(`${path}.argv`, `${JSON.stringify(words)}\n`);

const flag = (name) => {
  const at = words.indexOf(name);
  return at < 0 ? null : words[at + 1];
};
const method = flag('--method') ?? 'GET';
const values = new Set([flag('--method'), flag('--input')]);
const [address] = words.slice(1).filter((word) => !word.startsWith('--') && !values.has(word));
const [route, query = ''] = address.split('?');
const prefix = `repos/${env.GITHUB_REPOSITORY}/`;

const refuse = (status) => {
  stderr.write(`gh: Resource not accessible by integration (HTTP ${status})\n`);
  exit(1);
};
if (words[0] !== 'api' || !(route.startsWith(prefix) || route === 'graphql')) refuse(404);
if (env.GH_TOKEN !== state.token) refuse(401);
if (method !== 'GET' && state.readOnly === true) refuse(403);

if (route === 'graphql') {
  const id = words.find((word) => word.startsWith('id='))?.slice(3);
  const { editor = null, lastEditedAt = null } = state.comments.find((comment) => comment.node_id === id) ?? {};
  const asked = words.some((word) => word.includes('lastEditedAt'));
  stdout.write(JSON.stringify({ data: { node: asked ? { lastEditedAt } : { editor } } }));
  exit(0);
}
let body = {};
if (flag('--input') === '-') {
  const chunks = [];
  for await (const chunk of stdin) chunks.push(chunk);
  body = JSON.parse(Buffer.concat(chunks).toString('utf8'));
  if ((body.body ?? '').length > 65_536) refuse(422);
}
const me = { login: 'github-actions[bot]' };
const nextId = () => (state.lastId = (state.lastId ?? 100) + 1);

const routes = [
  [/^GET issues\/(\d+)\/comments$/, (id) => pagesOf(state.comments.filter(({ issue }) => issue === Number(id)))],
  [
    /^POST issues\/(\d+)\/comments$/,
    (number) => {
      const id = nextId();
      state.comments.push({ id, node_id: `IC_${id}`, issue: Number(number), user: me, body: body.body });
    },
  ],
  [
    /^PATCH issues\/comments\/(\d+)$/,
    (id) => {
      state.comments.find((comment) => comment.id === Number(id)).body = body.body;
    },
  ],
  [
    /^GET collaborators\/([A-Za-z0-9-]+)\/permission$/,
    (login) => ({ permission: state.permissions?.[login] ?? refuse(404) }),
  ],
  [/^GET pulls\/(\d+)$/, (number) => state.pulls.find((pull) => pull.number === Number(number)) ?? refuse(404)],
  [/^GET actions\/workflows\/pull-request.yml\/runs$/, () => ({ workflow_runs: state.runs ?? [] })],
  [
    /^POST actions\/runs\/(\d+)\/rerun$/,
    (id) => {
      state.rerun = Number(id);
    },
  ],
  [/^GET pulls$/, () => pagesOf(state.pulls.filter((pull) => pull.state !== 'closed'))],
  [/^GET commits\/([0-9a-f]+)\/pulls$/, (sha) => state.pulls.filter(({ commits }) => commits.includes(sha))],
  [
    /^GET issues$/,
    () => pagesOf(state.issues.filter((issue) => !query.includes('state=open') || issue.state === 'open')),
  ],
  [
    /^POST issues$/,
    () => {
      state.issues.push({ number: nextId(), state: 'open', user: me, title: body.title, body: body.body });
    },
  ],
  [
    /^PATCH issues\/(\d+)$/,
    (number) => {
      Object.assign(
        state.issues.find((issue) => issue.number === Number(number)),
        body,
      );
    },
  ],
];
const wanted = `${method} ${route.slice(prefix.length)}`;
const found = routes.map(([pattern, act]) => [pattern.exec(wanted), act]).find(([match]) => match !== null);
if (found === undefined) refuse(404);
const answer = found[1](...found[0].slice(1));
writeFileSync(path, JSON.stringify(state));
if (typeof answer === 'string') stdout.write(answer);
else if (answer !== undefined) stdout.write(JSON.stringify(answer));

/** Two entries a page, one array after the other, as `--paginate` prints them. */
function pagesOf(entries) {
  const pages = [];
  for (let at = 0; at < entries.length; at += 2) pages.push(JSON.stringify(entries.slice(at, at + 2)));
  return pages.length === 0 ? '[]' : pages.join('');
}
