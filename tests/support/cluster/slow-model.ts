import { QUESTION } from '#tests/faults/customer.ts';
import { later, type ModelRequest, type Play, say, startModelServer } from '../chat/openai.ts';

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
   * was last killed before the answer.
   * @param texts all questions of the user
   */
  waitedBeside(answer: { text: string; askedAt: number; seenAt: number }, texts: ReadonlySet<string>): number;
  close(): Promise<void>;
}

/** Starts the model. `think` returns how long it thinks about a question, ms. */
export async function startSlowModel(think: () => number): Promise<SlowModel> {
  const server = await startModelServer();
  const attempts: Attempt[] = [];
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
      const answeredAt = Math.max(...own.filter((each) => each.text === text && !each.isCut).map(({ endedAt }) => endedAt), askedAt);
      const cutAt = own.filter(({ isCut, endedAt }) => isCut && endedAt <= answeredAt).map(({ endedAt }) => endedAt);
      const began = Math.max(askedAt, ...cutAt);
      return seenAt - began - workBetween(own, began, Math.min(answeredAt, seenAt));
    },
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
