import { setTimeout as pause } from 'node:timers/promises';
import { SECOND } from '#domain/clock.ts';

/** The longest time over which sockets move to other processes, ms: they reconnect spread over it. */
const MOVING_TIME = 3 * SECOND;

/** The time before a process closes, in which others take over its work. It still answers requests. */
export interface Draining {
  isDraining(): boolean;
  /** Adds work for the beginning. */
  onBegin(work: () => void): void;
  /** Adds work for the end, when proxies have noticed that the process is not ready. It gets its time in ms. */
  onMove(work: (time: number) => Promise<void>): void;
  /** Drains once; resolves when the process may close. */
  drain(): Promise<void>;
}

/** @param seconds how long the process still takes requests. With 0 it closes at once. */
export function createDraining(seconds: number): Draining {
  const atBegin: (() => void)[] = [];
  const atMove: ((time: number) => Promise<void>)[] = [];
  let draining: Promise<void> | undefined;

  async function run(): Promise<void> {
    for (const work of atBegin) work();
    if (seconds === 0) return;
    const time = seconds * SECOND;
    await pause(time);
    await Promise.all(atMove.map((work) => work(Math.min(time, MOVING_TIME))));
  }

  return {
    isDraining: () => draining !== undefined,
    onBegin: (work) => void atBegin.push(work),
    onMove: (work) => void atMove.push(work),
    drain() {
      draining ??= run();
      return draining;
    },
  };
}
