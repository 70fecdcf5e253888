// `npm run dev`: Vite serves the client with hot reload, each change rebuilds and restarts the server, at one address.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer as createTcpServer } from 'node:net';
import { ensureInstalled } from './install.mjs';
import { at } from './root.mjs';
import { stopWithParent } from './run.mjs';

await ensureInstalled();
const { context } = await import('esbuild');
const { createServer } = await import('vite');
const { bundle, copyData } = await import('./build/build-server.mjs');

const port = Number(process.env.PORT || 8080);
const folder = at('dist/dev/server');

/** Returns a free port for the server, which Vite proxies. */
async function freePort() {
  const probe = createTcpServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port: free } = probe.address();
  probe.close();
  await once(probe, 'close');
  return free;
}

const apiPort = await freePort();
const api = { target: `http://127.0.0.1:${apiPort}`, ws: true };
const env = {
  ...process.env,
  PORT: String(apiPort),
  HOST: '127.0.0.1',
  PUBLIC_URL: process.env.PUBLIC_URL || `http://localhost:${port}`,
};

let server;
async function stopServer() {
  if (!server || server.exitCode !== null || server.signalCode !== null) return;
  const ended = once(server, 'exit');
  server.kill('SIGTERM');
  await ended;
}

const restart = {
  name: 'restart',
  setup(build) {
    build.onEnd(async ({ errors }) => {
      if (errors.length > 0) return;
      copyData(folder);
      await stopServer();
      server = spawn(process.execPath, ['--enable-source-maps', `${folder}/main.js`], { env, stdio: 'inherit' });
    });
  },
};

const watching = await context({ ...bundle(folder), plugins: [restart] });
await watching.watch();
const vite = await createServer({
  root: at('.'),
  server: {
    port,
    strictPort: true,
    proxy: { '/api': api, '/socket.io': api, '/mailbox': api, '/healthz': api, '/readyz': api, '/chart-frame': api },
  },
});
await vite.listen();
vite.printUrls();

let stopping = false;
async function stop() {
  if (stopping) return;
  stopping = true;
  await Promise.all([watching.dispose(), vite.close(), stopServer()]);
  process.exit(0);
}
process.on('SIGINT', stop).on('SIGTERM', stop);
stopWithParent();
