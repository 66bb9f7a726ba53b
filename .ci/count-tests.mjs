// Prints the closing line of continuous integration, `N passed, N failed`, from the test report, and exits accordingly.
// usage: node .ci/count-tests.mjs REPORT EXIT_CODE_OF_THE_CHECK
import { readFileSync } from 'node:fs';

const [reportFile = '', checkStatus = '1'] = process.argv.slice(2);
const { passed, failed } = counts(reportFile);
// A stage other than the tests can fail too (format, lint, types …): it counts as one failure.
const total = failed === 0 && checkStatus !== '0' ? 1 : failed;
console.log(`${passed} passed, ${total} failed`);
process.exitCode = total > 0 ? Number(checkStatus) || 1 : 0;

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
