import { setTimeout as pause } from 'node:timers/promises';

/** One request: when it ended, how long it took, ms, and what came of it. */
export interface Watched<Answer> {
  name: string;
  endedAt: number;
  took: number;
  /** The request's error if no answer came. */
  outcome: Answer | Error;
}

/** Sends one request after another until `signal`. Returns all of them. */
export async function watchRequests<Answer>(
  name: string,
  request: (turn: number) => Promise<Answer>,
  { every, signal }: { every: number; signal: AbortSignal },
): Promise<Watched<Answer>[]> {
  const watched: Watched<Answer>[] = [];
  for (let turn = 0; !signal.aborted; turn++) {
    const began = performance.now();
    const outcome = await request(turn).catch((error: Error) => error);
    const endedAt = performance.now();
    watched.push({ name, endedAt, took: endedAt - began, outcome });
    await pause(every);
  }
  return watched;
}
