import type { FastifyInstance } from 'fastify';
import { READY_PATH } from '#contract/paths.ts';
import { SECOND } from '#domain/clock.ts';
import { sendProblem } from '../http/error-handler.ts';
import { Problem } from '../http/errors.ts';
import { withDeadline } from '../with-deadline.ts';

/** Time limit of one check, ms. */
const CHECK_LIMIT = 2 * SECOND;
/** How long the outcome of all checks is answered, ms, so that probes do not add up. */
const LIFETIME = SECOND;

/** Something that the server needs to answer requests. */
export interface Check {
  /** Shown to everybody who asks. */
  name: string;
  /** Resolves when the server has it. Rejects, or resolves with false, when it does not. */
  run(): Promise<unknown>;
}

interface Options {
  checks: readonly Check[];
  isDraining: () => boolean;
}

/** Answers whether a proxy may send requests here: 200, or 503 with the names of the checks that failed. */
export function serveReadiness(app: FastifyInstance, { checks, isDraining }: Options): void {
  const runs = checks.map((check) => ({ name: check.name, holds: createRun(check) }));
  let latest: { failed: string[]; until: number } = { failed: [], until: 0 };
  let running: Promise<string[]> | undefined;

  async function runAll(): Promise<string[]> {
    const outcomes = await Promise.all(runs.map(async ({ name, holds }) => ((await holds()) ? [] : [name])));
    const failed = outcomes.flat();
    if (failed.join() !== latest.failed.join()) app.log.warn({ failed }, failed.length > 0 ? 'not ready' : 'ready again');
    latest = { failed, until: performance.now() + LIFETIME };
    running = undefined;
    return failed;
  }

  async function findFailed(): Promise<string[]> {
    if (isDraining()) return ['draining'];
    if (performance.now() < latest.until) return latest.failed;
    running ??= runAll();
    return running;
  }

  // A proxy asks every second: `logLevel` leaves its requests out of the log.
  app.get(READY_PATH, { logLevel: 'warn', config: { rateLimit: false } }, async (_request, reply) => {
    reply.header('cache-control', 'no-store');
    const failed = await findFailed();
    if (failed.length === 0) return { status: 200 };
    return sendProblem(reply, new Problem(503, 'not_ready', `Not ready: ${failed.join(', ')}.`, { failed }));
  });
}

/** Runs a check within its time limit. One that hangs fails until it ends, and does not run a second time beside itself. */
function createRun({ run }: Check): () => Promise<boolean> {
  let running: Promise<boolean> | undefined;
  return async () => {
    running ??= Promise.resolve()
      .then(run)
      .then(
        (outcome) => outcome !== false,
        () => false,
      )
      .finally(() => {
        running = undefined;
      });
    const underway = running;
    return withDeadline(CHECK_LIMIT, undefined, () => underway).catch(() => false);
  };
}
