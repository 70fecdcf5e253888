import type { Jobs, Queue } from '#server/jobs/jobs.ts';

interface Options {
  /** Jobs that run at the same time. */
  atOnce?: number;
  /** Receives the error of a job that fails. It is left to the next round. */
  failed?: (error: unknown) => void;
}

/** Runs each job once, before `insert` returns. */
export function directJobs({ atOnce = 1, failed = () => undefined }: Options): Jobs {
  return {
    async queue<T extends object>(): Promise<Queue<T>> {
      let run: (data: T) => Promise<void> = async () => undefined;
      const ids = new Set<string>();
      return {
        async insert(jobs) {
          const waiting = [...jobs];
          const worker = async () => {
            for (let job = waiting.shift(); job; job = waiting.shift()) {
              if (ids.has(job.id)) continue;
              ids.add(job.id);
              await run(job.data).catch(failed);
            }
          };
          await Promise.all(Array.from({ length: atOnce }, worker));
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
