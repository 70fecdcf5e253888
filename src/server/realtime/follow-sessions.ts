import { SECOND } from '#domain/clock.ts';
import type { Sessions } from '../modules/accounts/sessions/sessions.ts';

const LOOK_EVERY = SECOND;

interface Options {
  sessions: Pick<Sessions, 'findEnded' | 'tellEnded'>;
  /** The sessions of this process's sockets. */
  held: () => readonly string[];
  report: (error: unknown) => void;
}

/**
 * Looks once a second, in one query, which of the held sessions another process has ended, and tells this process.
 * @returns stops that
 */
export function followSessions({ sessions, held, report }: Options): () => void {
  let looking = false;

  async function look(): Promise<void> {
    const ids = held();
    if (looking || ids.length === 0) return;
    looking = true;
    try {
      sessions.tellEnded(await sessions.findEnded(ids));
    } catch (error) {
      report(error);
    } finally {
      looking = false;
    }
  }

  const timer = setInterval(look, LOOK_EVERY).unref();
  return () => clearInterval(timer);
}
