import { useEffect } from 'react';
import { type UserDb, userDb } from '#client/platform/db/user-db.ts';
import { useReachable } from '#client/platform/live/use-reachable.ts';
import { preloadWhenIdle } from '#client/platform/preload-when-idle.ts';
import { useClaims } from '#client/platform/session/use-session.ts';
import type { LocalMessage } from '../conversation/conversation.ts';

/** How long a question waits for a server that seems reachable, ms. */
const PATIENCE_MS = 5_000;

/** Loads the analyst's rules. A device that is offline later needs them. */
export const loadDeviceAnswers = () => import('./answer-on-device.ts');

/** Answers the questions of an open conversation on this device while the server cannot. */
export function useDeviceAnswers(messages: readonly LocalMessage[]): void {
  const db = userDb(useClaims().sub);
  const reachable = useReachable();
  const waiting = messages.filter((message) => isWaiting(message, reachable));
  const ids = waiting.map(({ id }) => id).join();
  // biome-ignore lint/correctness/useExhaustiveDependencies: `ids` identifies the questions
  useEffect(() => {
    if (!ids) return;
    const answer = async () => {
      const { answerOnDevice } = await loadDeviceAnswers();
      for (const { id, user_message: text } of waiting) {
        const earlier = messages
          .slice(
            0,
            messages.findIndex((each) => each.id === id),
          )
          .map(({ user_message }) => user_message);
        await answerOnDevice(db, { id, text, earlier });
      }
    };
    // Without an answer of the device, the question still waits for the server.
    const start = () => void answer().catch((error: unknown) => console.error('the device could not answer', error));
    const timer = setTimeout(start, reachable ? PATIENCE_MS : 0);
    return () => clearTimeout(timer);
  }, [db, ids, reachable]);
}

/** While the server is reachable, a question that it has is being answered. */
function isWaiting({ ai_response, stopped, chat_image, device_answer, unsent }: LocalMessage, reachable: boolean): boolean {
  if (ai_response || stopped || chat_image !== null || device_answer) return false;
  // A command without a number is not stored yet.
  return unsent ? unsent.state === 'waiting' && unsent.seq !== undefined : !reachable;
}

/** While the server is unreachable, has the device prepare for a question as soon as the page is idle. */
export function usePreparedAnswers(db: UserDb): void {
  const reachable = useReachable();
  useEffect(() => {
    if (reachable) return;
    let forget: (() => void) | undefined;
    let isOver = false;
    const prepare = async () => {
      const { prepareAnswers } = await loadDeviceAnswers();
      if (!isOver) forget = prepareAnswers(db);
    };
    const stop = preloadWhenIdle([prepare]);
    return () => {
      isOver = true;
      stop();
      forget?.();
    };
  }, [db, reachable]);
}
