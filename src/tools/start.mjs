// `npm start` and `npm run start:bots`: install, build what changed, serve. Uses only Node, so a fresh clone can run it.
import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { ensureInstalled } from './install.mjs';
import { at, root } from './root.mjs';
import { runScript, Stopped, stopWithParent } from './run.mjs';
import { allocator, nodeFlags, withoutCoreFiles } from './server-process.mjs';

const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  console.error(`Tidemark needs Node.js 20.19 or newer; this is ${process.versions.node}.`);
  process.exit(1);
}

const bots = process.argv.includes('--bots') ? { ROLE: 'bots', PORT: process.env.PORT || '8081' } : {};

/** Runs the server until it ends, passes signals on to it and returns its exit code. */
function serve() {
  const { command, args } = withoutCoreFiles(process.execPath, [...nodeFlags, at('src/tools/serve.mjs')]);
  const env = { NODE_ENV: 'production', ...allocator, ...process.env, ...bots };
  const server = spawn(command, args, { cwd: root, env, stdio: ['inherit', 'inherit', 'inherit', 'ipc'] });
  const pass = (signal) => server.connected && server.send(signal);
  process.on('SIGINT', pass).on('SIGTERM', pass);
  return new Promise((resolve, reject) => {
    server.on('error', reject).on('exit', (code, signal) => resolve(code ?? 128 + constants.signals[signal]));
  });
}

stopWithParent();
try {
  await ensureInstalled();
  // A process of its own returns the compilers' memory when it ends.
  await runScript(at('src/tools/build.mjs'));
  process.exitCode = await serve();
} catch (error) {
  if (error instanceof Stopped) process.exit(0);
  console.error(error.message);
  process.exit(1);
}
