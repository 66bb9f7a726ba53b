// Prints the closing line of continuous integration, `N passed, N failed`, and exits with 0 only where nothing failed.
// usage: node .ci/count-tests.mjs STAGE=EXIT_CODE[=REPORT] …
import { readFileSync } from 'node:fs';
import process from 'node:process';

const stages = process.argv.slice(2).map((text) => {
  const [name, code, report] = text.split('=');
  return { name, code: Number(code), ...(report === undefined ? { passed: 0, failed: 0 } : counts(report)) };
});
// A stage without tests can fail too (format, lint, types …), and so can a run of tests after its last one: it counts as one failure.
const failuresOf = ({ code, failed }) => (failed === 0 && code !== 0 ? 1 : failed);
for (const stage of stages) if (failuresOf(stage) > 0) console.log(`${stage.name} failed`);
const passed = stages.reduce((sum, stage) => sum + stage.passed, 0);
const failed = stages.reduce((sum, stage) => sum + failuresOf(stage), 0);
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed > 0 ? 1 : 0;

function counts(file) {
  try {
    const report = JSON.parse(readFileSync(file, 'utf8'));
    // A file that could not even be loaded has no tests of its own; it is a failure all the same.
    const broken = report.testResults.filter(
      (suite) => suite.status === 'failed' && suite.assertionResults.length === 0,
    );
    return { passed: report.numPassedTests, failed: report.numFailedTests + broken.length };
  } catch {
    return { passed: 0, failed: 1 };
  }
}
