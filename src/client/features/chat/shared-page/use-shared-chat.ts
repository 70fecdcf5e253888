import { useCallback, useEffect, useState } from 'react';
import type { SharedChat } from '#contract/chat/chat-links.ts';
import { readSharedChat } from './read-shared-chat.ts';

type Shown = { chat: SharedChat | null } | { error: unknown };

export interface SharedChatState {
  /** Undefined while it loads; null if the link opens nothing. */
  chat: SharedChat | null | undefined;
  error: unknown;
  isLoading: boolean;
  load: () => void;
}

/** Reads what a link opens, and again whenever the page comes back to the screen: it may have ended meanwhile. */
export function useSharedChat(token: string): SharedChatState {
  const [shown, setShown] = useState<Shown>();
  const [requests, setRequests] = useState(0);
  const [isLoading, setLoading] = useState(true);
  const load = useCallback(() => setRequests((count) => count + 1), []);

  // biome-ignore lint/correctness/useExhaustiveDependencies: `requests` asks again
  useEffect(() => {
    let isCurrent = true;
    setLoading(true);
    readSharedChat(token)
      .then(
        (chat) => isCurrent && setShown({ chat }),
        // What is on the screen stays while the server cannot be asked.
        (error: unknown) => isCurrent && setShown((known) => (known && 'chat' in known ? known : { error })),
      )
      .finally(() => isCurrent && setLoading(false));
    return () => {
      isCurrent = false;
    };
  }, [token, requests]);

  // Another link in the same tab.
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when the link changes
  useEffect(() => () => setShown(undefined), [token]);

  useEffect(() => {
    const seen = () => document.visibilityState === 'visible' && load();
    const back = ({ persisted }: PageTransitionEvent) => persisted && load();
    document.addEventListener('visibilitychange', seen);
    window.addEventListener('pageshow', back);
    return () => {
      document.removeEventListener('visibilitychange', seen);
      window.removeEventListener('pageshow', back);
    };
  }, [load]);

  return {
    chat: shown && 'chat' in shown ? shown.chat : undefined,
    error: shown && 'error' in shown ? shown.error : undefined,
    isLoading,
    load,
  };
}
