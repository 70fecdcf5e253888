import { setTimeout as pause } from 'node:timers/promises';
import type { Jobs, Queue } from '#server/jobs/jobs.ts';

/** Attempts at a job whose lease another worker holds. */
const TRIES = 200;

/** Runs each job before `insert` returns, so that a test knows when a candle is fully handled. */
export function inlineJobs(): Jobs {
  return {
    async queue<T extends object>(): Promise<Queue<T>> {
      let run: (data: T) => Promise<void> = async () => undefined;
      const ids = new Set<string>();

      async function attempt(data: T): Promise<void> {
        for (let left = TRIES; ; left--) {
          try {
            return await run(data);
          } catch (error) {
            if (left === 0) throw error;
            await pause(10);
          }
        }
      }

      return {
        async insert(jobs) {
          const fresh = jobs.filter(({ id }) => !ids.has(id));
          for (const { id } of fresh) ids.add(id);
          await Promise.all(fresh.map(({ data }) => attempt(data)));
        },
        async work(_options, handler) {
          run = handler;
        },
      };
    },
    check: async () => undefined,
    stop: async () => undefined,
  };
}
