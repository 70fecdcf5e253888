import type { Jobs, Queue } from '#server/jobs/jobs.ts';

/** Runs each job once, before `insert` returns. A failed job is reported to `failed` and not retried. */
export function singleTries(failed: (error: unknown) => void): Jobs {
  return {
    async queue<T extends object>(): Promise<Queue<T>> {
      let run: (data: T) => Promise<void> = async () => undefined;
      const ids = new Set<string>();
      return {
        async insert(jobs) {
          for (const { id, data } of jobs) {
            if (ids.has(id)) continue;
            ids.add(id);
            await run(data).catch(failed);
          }
        },
        async work(_options, handler) {
          run = handler;
        },
      };
    },
    stop: async () => undefined,
  };
}
