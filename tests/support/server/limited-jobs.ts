import type { Jobs, Queue } from '#server/jobs/jobs.ts';

/** Runs jobs before `insert` returns, at most `atOnce` of them at the same time. A job that fails is left to the next round. */
export function limitedJobs(atOnce: number): Jobs {
  return {
    async queue<T extends object>(): Promise<Queue<T>> {
      let run: (data: T) => Promise<void> = async () => undefined;
      const ids = new Set<string>();
      return {
        async insert(jobs) {
          const fresh = jobs.filter(({ id }) => !ids.has(id));
          for (const { id } of fresh) ids.add(id);
          const queue = [...fresh];
          const worker = async () => {
            for (let job = queue.shift(); job; job = queue.shift()) await run(job.data).catch(() => undefined);
          };
          await Promise.all(Array.from({ length: atOnce }, worker));
        },
        async work(_options, handler) {
          run = handler;
        },
      };
    },
    stop: async () => undefined,
  };
}
