// Runs other people's readers of machine outputs, unmodified, on what the built program prints: one line a case.
// usage: node test/consumers/run.mjs      (after `npm run build`; installs the readers beside this file on first use)
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const program = join(here, '../../dist/cli/bin.js');

// The report that GitLab's documentation makes of a plan for its merge-request widget.
const GITLAB =
  '([.resource_changes[]?.change.actions?]|flatten)|{"create":(map(select(.=="create"))|length),' +
  '"update":(map(select(.=="update"))|length),"delete":(map(select(.=="delete"))|length)}';

// A running compute to begin with; then a restart of it, a resize that restarts, a creation and a deletion.
const before = `version: 1
projects: { shop: { computes: { running: { branch_id: br-calm-sea-220011 } } } }
`;
const after = (now) => `version: 1
projects:
  shop:
    computes:
      running: { branch_id: br-calm-sea-220011, restart: { not_before: ${now} } }
      primary: { branch_id: br-wispy-meadow-118737, autoscaling_limit_max_cu: 2 }
      reports: { branch_id: br-wispy-meadow-118737, type: read_only }
  lab:
    computes:
      old: { id: ep-bright-forest-654321, state: absent }
`;

if (!existsSync(program)) throw new Error('build the program first: npm run build');
if (!existsSync(join(here, 'node_modules')))
  execFileSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: here, stdio: 'inherit' });
/** A reader of the folder beside this file. */
const load = createRequire(import.meta.url);

const folder = mkdtempSync(join(tmpdir(), 'trueup-consumers-'));
const cases = [];
try {
  writeFileSync(join(folder, 'trueup.yaml'), before);
  trueup(0, 'apply', '--auto-approve');
  writeFileSync(join(folder, 'trueup.yaml'), after(new Date().toISOString()));
  trueup(0, 'plan', '-o', 'plan.json');
  trueup(2, 'drift', '--write', 'sarif=drift.sarif', '--write', 'junit=drift.xml');
  const plan = JSON.parse(readFileSync(join(folder, 'plan.json'), 'utf8'));
  await check('json-rules-engine', 'a deny rule catches the delete and the restart, and nothing else', async () => {
    equal(await denials(plan), [
      'lab/old: it deletes',
      'lab/old: it drops connections',
      'shop/primary: it drops connections',
      'shop/primary: it restarts',
      'shop/running: it drops connections',
      'shop/running: it restarts',
    ]);
  });
  await check('jq-wasm', "GitLab's documented expression counts the changes", async () => {
    equal(await load('jq-wasm').json(plan, GITLAB), { create: 1, update: 2, delete: 1 });
  });
  await check(
    '@ahmadnassri/terraform-unidiff',
    'takes it for a Terraform plan: counts, and a diff for every change',
    () => {
      const { summary, patches } = load('@ahmadnassri/terraform-unidiff')(plan);
      equal(summary, { create: 1, update: 2, delete: 1 });
      equal(
        patches.map((patch) => /^Index: (.*)$/m.exec(patch)?.[1]),
        ['lab/old', 'shop/primary', 'shop/reports', 'shop/running'],
      );
    },
  );
  await check('@microsoft/jest-sarif', 'the SARIF log is valid by the schema of SARIF 2.1.0', () => {
    const schema = readFileSync(
      join(dirname(load.resolve('@microsoft/jest-sarif/package.json')), 'lib/schemas/sarif-2.1.0-rtm.5.json'),
      'utf8',
    );
    const Ajv = load('ajv');
    const ajv = new Ajv({ allErrors: true, schemaId: 'auto', meta: false });
    ajv.addMetaSchema(load('ajv/lib/refs/json-schema-draft-04.json'));
    const log = JSON.parse(readFileSync(join(folder, 'drift.sarif'), 'utf8'));
    if (!ajv.validate(JSON.parse(schema), log)) throw new Error(ajv.errorsText());
    equal(log.runs[0].results.length > 0, true);
  });
  await check('fast-xml-parser', 'the JUnit report is well-formed and names every finding', () => {
    const { XMLParser, XMLValidator } = load('fast-xml-parser');
    const text = readFileSync(join(folder, 'drift.xml'), 'utf8');
    equal(XMLValidator.validate(text), true);
    const suites = new XMLParser({ ignoreAttributes: false, attributeNamePrefix: '' }).parse(text).testsuites;
    equal(Number(suites.failures) > 0, true);
  });
} finally {
  rmSync(folder, { recursive: true, force: true });
}
const failed = cases.filter((passed) => !passed).length;
console.log(`\n${cases.length - failed} passed, ${failed} failed`);
process.exitCode = failed === 0 && cases.length > 0 ? 0 : 1;

/** What the rules have against each change, sorted. */
async function denials({ resource_changes: changes }) {
  const { Engine } = load('json-rules-engine');
  const rules = JSON.parse(readFileSync(join(here, 'deny.json'), 'utf8'));
  const found = [];
  for (const change of changes) {
    const { events } = await new Engine(rules).run({ change });
    for (const { params } of events) found.push(`${change.address}: ${params.message}`);
  }
  return found.sort();
}

function trueup(expected, ...argv) {
  const result = spawnSync(process.execPath, [program, ...argv, '--local'], { cwd: folder, encoding: 'utf8' });
  if (result.status !== expected) throw new Error(`trueup ${argv.join(' ')}: exit ${result.status}\n${result.stderr}`);
}

async function check(reader, what, run) {
  const { version } = JSON.parse(readFileSync(join(here, 'node_modules', reader, 'package.json'), 'utf8'));
  try {
    await run();
    cases.push(true);
    console.log(`ok    ${reader} ${version}: ${what}`);
  } catch (error) {
    cases.push(false);
    console.log(`FAIL  ${reader} ${version}: ${what}\n      ${error.message}`);
  }
}

function equal(actual, expected) {
  // A reader that gives one answer gives it bare or in a list.
  const [left, right] = [actual, expected].map((value) => JSON.stringify(value));
  if (left !== right && left !== JSON.stringify([expected])) throw new Error(`${left} in place of ${right}`);
}
