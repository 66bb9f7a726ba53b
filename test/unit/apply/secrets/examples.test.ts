// The programs of examples/sinks/ run as they are, against stand-ins for the tools that they call.
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { betrays } from '../../../support/betrays.ts';
import { execSink } from '../../../../src/apply/sinks/exec-sink.ts';
import { programRunner } from '../../../../src/apply/sinks/run-program.ts';
import { systemClock } from '../../../../src/base/time/clock.ts';
import { NEW, recordOf, workFolder } from './world.ts';
import { RECORD } from '../../../../src/kinds/api-key/key.ts';

const folder = fileURLToPath(new URL('../../../../examples/sinks/', import.meta.url));
const scripts = new Map(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), 'utf8')]));

/** A stand-in keeps what it is given in `stored` and writes its arguments down. */
const head = '#!/bin/sh\nprintf "%s\\n" "$0 $*" >> "$HOME/argv"\n';
const tools: Record<string, { tool: string; body: string }> = {
  'github.sh': {
    tool: 'gh',
    body: 'case "$2" in list) test ! -f "$HOME/stored" || echo CI_DEPLOY ;; set) test "$3" = CI_DEPLOY && cat > "$HOME/stored" ;; esac',
  },
  'vault.sh': {
    tool: 'vault',
    body: 'case "$2" in get) test -f "$HOME/stored" || { echo "No value found at secret/data/x" >&2; exit 2; } ;; put) cat > "$HOME/stored" ;; esac',
  },
  'aws.sh': {
    tool: 'aws',
    body: 'case "$2" in describe-secret) test -f "$HOME/stored" || { echo "(ResourceNotFoundException)" >&2; exit 254; } ;; put-secret-value | create-secret) cat > "$HOME/stored" ;; esac',
  },
  'kubernetes.sh': {
    tool: 'kubectl',
    body: 'case "$1" in get) test ! -f "$HOME/stored" || echo secret/ci-deploy ;; create) cat ;; apply) cat > "$HOME/stored" ;; esac',
  },
};
const JQ = `#!${process.execPath}
process.stdout.write(JSON.parse(require('node:fs').readFileSync(0, 'utf8')).key + '\\n');
`;

function put(path: string, text: string): string {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  chmodSync(path, 0o755);
  return path;
}

describe('examples/sinks', () => {
  it('each program is tested here', () => {
    expect([...scripts.keys()].sort()).toEqual(Object.keys(tools).sort());
  });

  it.each(Object.entries(tools))(
    '%s checks and puts, and no argument holds the value',
    async (name, { tool, body }) => {
      const home = workFolder();
      put(join(home, 'bin', tool), `${head}${body}\n`);
      put(join(home, 'bin', 'jq'), JQ);
      const text = scripts.get(name) ?? '';
      expect(text.split('\n').length).toBeLessThanOrEqual(25);
      const sinkWith = (broken: boolean) =>
        execSink({
          name: 'ci-deploy',
          shape: RECORD,
          program: put(join(home, 'sink.sh'), text),
          run: programRunner(systemClock),
          env: {
            HOME: home,
            PATH: [...(broken ? [join(home, 'broken')] : []), join(home, 'bin'), process.env['PATH']].join(delimiter),
          },
          workDir: home,
        });
      const sink = sinkWith(false);
      expect(await sink.check()).toMatchObject({ state: 'absent' });
      for (const id of ['41', '42']) await (await sink.reserve()).store(recordOf(id), { key: NEW });
      expect(await sink.check()).toMatchObject({ state: 'stored' });
      const stored = readFileSync(join(home, 'stored'), 'utf8');
      if (tool === 'gh') expect(stored).toBe(NEW.reveal());
      else expect(JSON.parse(stored)).toMatchObject({ id: 42, key: NEW.reveal() });
      expect(betrays(readFileSync(join(home, 'argv'), 'utf8'), NEW.reveal())).toBe(false);

      put(join(home, 'broken', tool), '#!/bin/sh\necho no route to host >&2\nexit 1\n');
      expect(existsSync(join(home, 'broken', tool))).toBe(true);
      expect(await sinkWith(true).check()).toMatchObject({ state: 'broken' });
    },
  );
});
