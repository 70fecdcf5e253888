// A push service in a process of its own, for browsers that its parent asks for. Talks to its parent by messages.
import { setTimeout as pause } from 'node:timers/promises';
import { loadTypeScript } from '#tests/support/processes/run-typescript.mjs';

/** How long an answer takes, as over a network, ms. */
const [SHORTEST, LONGEST] = [20, 80];
const { startPushService } = await loadTypeScript('tests/support/push/push-service.ts');
const service = await startPushService({ latency: () => SHORTEST + Math.random() * (LONGEST - SHORTEST) });
process.send({ origin: service.origin });

process.on('disconnect', () => process.exit());
process.on('message', async ({ browsers, key }) => {
  const made = Array.from({ length: browsers }, () => service.subscribe(() => key));
  process.send({ browsers: made.map(({ endpoint, keys }) => ({ endpoint, keys })) });
  while (service.pushed.length < browsers && service.faults.length === 0) await pause(5);
  const at = Date.now();
  // Repeats would still come.
  await pause(1_000);
  const endpoints = new Set(service.pushed.map(({ endpoint }) => endpoint));
  process.send({ at, reached: endpoints.size, messages: service.pushed.length, faults: service.faults.slice(0, 3) });
});
