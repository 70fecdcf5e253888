// `npm start`: install, build what changed, serve. Uses nothing but Node, so that a fresh clone can run it.
import { ensureInstalled } from './install.mjs';
import { at } from './root.mjs';
import { runScript, Stopped } from './run.mjs';

const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  console.error(`Tidemark needs Node.js 20.19 or newer; this is ${process.versions.node}.`);
  process.exit(1);
}

process.env.NODE_ENV ||= 'production';
try {
  await ensureInstalled();
  // Compilers use far more memory than the server, so they work in a process of their own.
  await runScript(at('src/tools/build.mjs'));
} catch (error) {
  if (error instanceof Stopped) process.exit(0);
  console.error(error.message);
  process.exit(1);
}

// The server listens to these itself, once it is loaded.
const end = () => process.exit(0);
process.on('SIGINT', end).on('SIGTERM', end);
await import(at('dist/server/main.js'));
process.off('SIGINT', end).off('SIGTERM', end);
