// The order of test files in a run: what failed last first, then what is quick. A mutant is done with at its first failing test.
import { relative } from 'node:path';
import { BaseSequencer } from 'vitest/node';

export class QuickFirst extends BaseSequencer {
  async sort(specs) {
    const { cache, config } = this.ctx;
    const rank = ({ project, moduleId }) => {
      const last = cache.getFileTestResults(`${project.name}:${relative(config.root, moduleId)}`);
      return last === undefined || last.failed ? 0 : last.duration;
    };
    return [...specs].sort((a, b) => rank(a) - rank(b));
  }
}
