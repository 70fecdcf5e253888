import { SECOND } from '#domain/clock.ts';
import { QUESTION } from '#tests/faults/customer.ts';
import { later, type ModelRequest, type Play, say, startModelServer } from '../chat/openai.ts';

/** How long a server takes at most from the end of the model's work until its answer is stored, ms. */
const STORED_WITHIN = SECOND;

/** Work of the model on a question. Times are those of `performance.now`. */
interface Attempt {
  /** Text of the question. */
  text: string;
  beganAt: number;
  endedAt: number;
  /** Its server was gone before the answer. */
  isCut: boolean;
}

/** A fake model that thinks, and knows when it thought about what. */
export interface SlowModel {
  /** Value for AI_BASE_URL. */
  url: string;
  /**
   * Returns how long a user waited for an answer beside the model's work, ms: since the question, or since a server that worked for the user
   * was last killed before it stored the answer.
   * @param texts all questions of the user
   */
  waitedBeside(answer: { text: string; askedAt: number; seenAt: number }, texts: ReadonlySet<string>): number;
  /** Call it before a server is killed. */
  noteKill(): void;
  close(): Promise<void>;
}

/** Starts the model. `think` returns how long it thinks about a question, ms. */
export async function startSlowModel(think: () => number): Promise<SlowModel> {
  const server = await startModelServer();
  const attempts: Attempt[] = [];
  const kills: number[] = [];
  /** Whether a kill cost the answer: the model had to work again. */
  const isLost = ({ text, endedAt, isCut }: Attempt): boolean =>
    isCut ||
    (kills.some((at) => Math.abs(at - endedAt) < STORED_WITHIN) &&
      attempts.some((later) => later.text === text && later.beganAt > endedAt));
  const answer = later(think, say('Bitcoin goes up and down.'));
  const play: Play = (response, request) => {
    const attempt = { text: questionIn(request), beganAt: performance.now(), endedAt: Number.POSITIVE_INFINITY, isCut: false };
    attempts.push(attempt);
    response.once('close', () => Object.assign(attempt, { endedAt: performance.now(), isCut: !response.writableFinished }));
    answer(response, request);
  };
  server.plays = [play];
  return {
    url: server.url,
    waitedBeside({ text, askedAt, seenAt }, texts) {
      const own = attempts.filter((each) => texts.has(each.text) && each.beganAt < seenAt);
      const answeredAt = Math.max(...own.filter((each) => each.text === text && !isLost(each)).map(({ endedAt }) => endedAt), askedAt);
      const lostAt = own.filter((each) => isLost(each) && each.endedAt <= answeredAt).map(({ endedAt }) => endedAt);
      const began = Math.max(askedAt, ...lostAt);
      return seenAt - began - workBetween(own, began, Math.min(answeredAt, seenAt));
    },
    noteKill: () => void kills.push(performance.now()),
    close: server.close,
  };
}

const questionIn = ({ body }: ModelRequest): string => JSON.stringify(body.messages).match(QUESTION)?.at(-1) ?? '';

/** Returns for how long at least one of the attempts went on between two times, ms. */
function workBetween(attempts: readonly Attempt[], from: number, to: number): number {
  let work = 0;
  let until = from;
  for (const { beganAt, endedAt } of [...attempts].sort((a, b) => a.beganAt - b.beganAt)) {
    const end = Math.min(endedAt, to);
    work += Math.max(0, end - Math.max(beganAt, until));
    until = Math.max(until, end);
  }
  return work;
}
