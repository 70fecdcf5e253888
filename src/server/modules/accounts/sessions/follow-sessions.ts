import { SECOND } from '#domain/clock.ts';
import type { Sessions } from './sessions.ts';

const POLL_INTERVAL = SECOND;

interface Options {
  sessions: Pick<Sessions, 'findEnded' | 'endHere'>;
  /** Returns the sessions that this process serves over a long time, such as those of its sockets. */
  held: () => readonly string[];
  report: (error: unknown) => void;
}

/** Polls once a second for sessions that another process ended. Returns a function that stops it. */
export function followSessions({ sessions, held, report }: Options): () => void {
  let isPolling = false;

  async function poll(): Promise<void> {
    const ids = held();
    if (isPolling || ids.length === 0) return;
    isPolling = true;
    try {
      sessions.endHere(await sessions.findEnded(ids));
    } catch (error) {
      report(error);
    } finally {
      isPolling = false;
    }
  }

  const timer = setInterval(poll, POLL_INTERVAL).unref();
  return () => clearInterval(timer);
}
