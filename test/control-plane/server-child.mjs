// A server in a process of its own, for tests that kill it: prints one JSON line when it listens, and what it uses on request.
// Usage: node server-child.mjs DATA_DIR OPTIONS_JSON
const [, , dataDir, optionsText] = process.argv;
const begunMs = performance.now();
const { serve } = await import(new URL('../../dist/control-plane/serve/serve.js', import.meta.url).href);
const served = await serve({ port: 0, dataDir, ...JSON.parse(optionsText) });
process.stdout.write(`${JSON.stringify({ port: served.port, startMs: performance.now() - begunMs })}\n`);
process.stdin.on('data', () => {
  const { user, system } = process.cpuUsage();
  const used = { memoryMb: process.memoryUsage.rss() / 1_048_576, cpuMs: (user + system) / 1000 };
  process.stdout.write(`${JSON.stringify(used)}\n`);
});
