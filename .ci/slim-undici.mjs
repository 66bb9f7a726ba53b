// Of undici only what the client uses: its main module loads ten times as much, and starting it takes longer than all else before a request.

const PARTS = { Pool: 'pool', ProxyAgent: 'proxy-agent' };
/** What its main module adds to each dispatcher, as far as the way through a proxy takes it. */
const TUNNEL = `import Dispatcher from 'undici/lib/dispatcher/dispatcher.js';
import connect from 'undici/lib/api/api-connect.js';
Dispatcher.prototype.connect = connect;`;

/** What undici asks for and this program never reaches: HTTP/2, bodies of fetch, the client of Node.js itself. */
const UNREACHED = {
  'node:http': 'module.exports = { IncomingMessage: class {}, maxHeaderSize: 16_384 };',
  'node:http2': 'module.exports = { constants: {} };',
  './client-h2.js': 'module.exports = () => { throw new Error("HTTP/2 is switched off"); };',
  '../web/fetch/body.js': 'module.exports = {};',
};

export const isUnreached = (id, importer = '') =>
  Object.hasOwn(UNREACHED, id) && /[\\/]node_modules[\\/]undici[\\/]/.test(importer);

export function slimUndici() {
  const slim = '\0undici';
  const unreached = '\0unreached:';
  return {
    name: 'slim-undici',
    resolveId: (id, importer) => (id === 'undici' ? slim : isUnreached(id, importer) ? unreached + id : null),
    load(id) {
      if (id.startsWith(unreached)) return UNREACHED[id.slice(unreached.length)];
      if (id !== slim) return null;
      const parts = Object.entries(PARTS).map(
        ([name, file]) => `export { default as ${name} } from 'undici/lib/dispatcher/${file}.js';`,
      );
      return [...parts, TUNNEL].join('\n');
    },
  };
}
