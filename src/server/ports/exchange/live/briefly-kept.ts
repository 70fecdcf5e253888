import { type Clock, SECOND } from '#domain/clock.ts';

/** How long an answer serves all who ask, ms. */
const LIFETIME = 20 * SECOND;

/** Keeps an answer for 20 seconds; those who ask at the same time share one request. A failure is not kept. */
export function brieflyKept<Answer>(read: () => Promise<Answer>, now: Clock): () => Promise<Answer> {
  let kept: { answer: Promise<Answer>; at: number } | undefined;
  return () => {
    const age = kept ? now() - kept.at : LIFETIME;
    if (kept && age >= 0 && age < LIFETIME) return kept.answer;
    const mine = { answer: read(), at: now() };
    kept = mine;
    mine.answer.catch(() => {
      if (kept === mine) kept = undefined;
    });
    return mine.answer;
  };
}
