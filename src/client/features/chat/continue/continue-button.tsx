import { type MouseEvent, useRef, useState } from 'react';
import { errorMessage } from '#client/platform/api/errors.ts';
import { userDb } from '#client/platform/db/user-db.ts';
import { useReachable } from '#client/platform/live/use-reachable.ts';
import { history } from '#client/platform/router/history.ts';
import { useClaims } from '#client/platform/session/use-session.ts';
import { toast } from '#client/platform/toast.ts';
import { IconButton } from '#client/ui/buttons/button.tsx';
import { BRANCH } from '#client/ui/graphics/drawings.ts';
import styles from '../answer/answer-actions.module.css';
import type { LocalMessage } from '../conversation/conversation.ts';
import { continueChat } from './continue-chat.ts';

/** Begins a new chat with the conversation up to this answer, and opens it. The server makes the copy, so it needs a connection. */
export function ContinueButton({ message }: { message: LocalMessage }) {
  const db = userDb(useClaims().sub);
  const reachable = useReachable();
  const [busy, setBusy] = useState(false);
  /** The new chat's id, kept after a failure whose outcome is unknown. */
  const id = useRef<string>(undefined);

  async function go({ currentTarget: button }: MouseEvent<HTMLElement>) {
    if (busy) return;
    if (!reachable) return toast('Continuing in a new chat needs a connection.');
    setBusy(true);
    id.current ??= crypto.randomUUID();
    try {
      const archive = await continueChat(message, id.current);
      id.current = undefined;
      // The page shows the title at once.
      if (!(await db.archives.get(archive.id))) await db.archives.put(archive);
      // The button goes with its answer.
      button.closest<HTMLElement>('section')?.focus({ preventScroll: true });
      history.push(`/chat/archive/${archive.id}`);
      toast('Continued in a new chat');
    } catch (error) {
      toast(errorMessage(error));
    } finally {
      setBusy(false);
    }
  }

  return (
    <IconButton
      label={reachable ? 'Continue from here' : 'Continue from here needs a connection'}
      icon={BRANCH}
      className={styles.going}
      aria-disabled={!reachable || undefined}
      aria-busy={busy || undefined}
      onClick={(event) => void go(event)}
    />
  );
}
