import { mkdirSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { takeLock } from './kernel-lock.mjs';
import { at, root } from './root.mjs';

const POLL_INTERVAL = 200;
/** How long to wait for another process of this checkout, ms. */
const LIMIT = 15 * 60_000;

/** Runs work that changes node_modules or dist in one process of this checkout at a time. The others wait. */
export async function alone(work) {
  const unlock = await waitForLock();
  try {
    return await work();
  } finally {
    await unlock();
  }
}

async function waitForLock() {
  mkdirSync(at('dist'), { recursive: true });
  for (const end = performance.now() + LIMIT; ; ) {
    const unlock = await takeLock(`${root} tools`, at('dist/lock'));
    if (unlock) return unlock;
    if (performance.now() > end) throw new Error('Another process of this checkout has installed or built for 15 minutes. End it.');
    await pause(POLL_INTERVAL);
  }
}
