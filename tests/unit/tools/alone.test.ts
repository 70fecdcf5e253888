import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { at } from '#tools/root.mjs';

/** Starts a process whose work takes `ms`. It prints when the work begins and ends, by the clock of the machine. */
function start(ms: number) {
  const program = `
    import { setTimeout as pause } from 'node:timers/promises';
    import { alone } from ${JSON.stringify(at('src/tools/alone.mjs'))};
    await alone(async () => {
      console.log(Number(process.hrtime.bigint()));
      await pause(${ms});
      console.log(Number(process.hrtime.bigint()));
    });`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program], { stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  return child;
}

test('work that changes the checkout runs in one process at a time, and goes on after a kill', async () => {
  const killed = start(60_000);
  await once(killed.stdout, 'data');
  const others = [1, 2, 3].map(() => text(start(50).stdout));
  killed.kill('SIGKILL');
  const spans = (await Promise.all(others)).map((said) => said.trim().split('\n').map(Number));
  spans.sort(([a = 0], [b = 0]) => a - b);
  const times = spans.flat();
  expect(times).toHaveLength(6);
  expect(times).toEqual(times.toSorted((a, b) => a - b));
});
