// Threads for tests that stay warm: a run for each of thousands of mutants would load the same code again each time.
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';

const POOL = 'warm threads';

/** What the last run left for the next: tests run in one thread at a time. */
const warm = { thread: null, isSetUp: false };

/** A worker of vitest's pool: what a run would end and the next one start again stays as it is, but for the settings. */
function warmThread({ distPath, execArgv, env }) {
  const listeners = [];
  let thread;
  let config;
  let isAsked = false;
  const answer = (type) => {
    setImmediate(() => thread.emit('message', { type, __vitest_worker_response__: true }));
  };
  return {
    name: POOL,
    async start() {
      warm.thread ??= new Worker(join(distPath, 'workers/threads.js'), { execArgv, env });
      thread = warm.thread;
    },
    on(event, listener) {
      listeners.push([event, listener]);
      thread.on(event, listener);
    },
    off: (event, listener) => thread.off(event, listener),
    send(message) {
      const { type, context } = message;
      if (type === 'start') config = context.config;
      if (type === 'stop') isAsked = true;
      if (type === 'stop') answer('stopped');
      else if (type === 'start' && warm.isSetUp) answer('started');
      else thread.postMessage(type === 'run' ? { ...message, context: { ...context, config } } : message, []);
      if (type === 'start') warm.isSetUp = true;
    },
    async stop() {
      for (const [event, listener] of listeners) thread.off(event, listener);
      if (isAsked) return;
      // It is ended in the middle of something.
      Object.assign(warm, { thread: null, isSetUp: false });
      await thread.terminate();
    },
    deserialize: (message) => message,
  };
}

/** A plugin for vitest's configuration, for one worker whose tests share their modules. */
export function warmThreads() {
  return {
    name: 'warm-threads',
    configureVitest({ project }) {
      project.config.pool = POOL;
      project.config.poolRunner = { name: POOL, createPoolWorker: warmThread };
    },
  };
}
