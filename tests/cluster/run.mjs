// `npm run cluster [-- --no-redis]`: three web processes and two that trade, with PostgreSQL, Redis and HAProxy from the system, until
// Ctrl-C. Its data is deleted at the end.
import { once } from 'node:events';
import { ensureInstalled } from '#tools/install.mjs';
import { at } from '#tools/root.mjs';
import { runScript } from '#tools/run.mjs';
import { loadTypeScript } from '../support/processes/run-typescript.mjs';

const redis = !process.argv.includes('--no-redis');
await ensureInstalled();
await runScript(at('src/tools/build.mjs'));
const { startServices } = await loadTypeScript('tests/support/cluster/services.ts');
const { startCluster } = await loadTypeScript('tests/support/cluster/cluster.ts');
const ended = Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')]);
const services = await startServices({ redis });
try {
  const cluster = await startCluster(services, { LOG_LEVEL: 'warn' });
  console.log(`Tidemark cluster at ${cluster.url}, ${redis ? 'with' : 'without'} Redis. Mail is in ${cluster.dataDir}/mail.`);
  await ended;
  await cluster.remove();
} finally {
  await services.stop();
}
