import { useEffect, useState } from 'react';
import { history, useLocation } from '#client/platform/router/history.ts';
import { useSession } from '#client/platform/session/use-session.ts';
import { deleteShare } from '#client/platform/shared/inbox.ts';
import { readShareForPage } from '#client/platform/shared/share-for-page.ts';
import { Button, ButtonLink } from '#client/ui/buttons/button.tsx';
import { IMAGE } from '#client/ui/graphics/drawings.ts';
import { SHARE_LIFE_MS } from '#contract/share.ts';
import { Prompt } from '../prompts/prompt.tsx';

/** Opens a new chat for what was shared: at once for a signed-in user. A visitor is told to log in, until the share expires. */
export function WaitingShare() {
  const { status } = useSession();
  const { pathname } = useLocation();
  const [isWaiting, setWaiting] = useState(false);

  useEffect(() => {
    if (status !== 'signed-in' && status !== 'signed-out') return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isOver = false;
    const look = async () => {
      const share = await readShareForPage(Date.now());
      if (isOver) return;
      setWaiting(share !== undefined && status === 'signed-out');
      if (!share) return;
      // The composer of a new chat takes it itself.
      if (status === 'signed-in') return history.location.pathname === '/chat' || history.push('/chat');
      timer = setTimeout(() => void look(), share.receivedAt + SHARE_LIFE_MS - Date.now());
    };
    look().catch((error: unknown) => console.error('reading what was shared failed', error));
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [status]);

  if (!isWaiting) return null;
  return (
    <Prompt
      icon={IMAGE}
      title="What you shared waits here"
      text="Log in within 10 minutes to use it in a new chat. Then it is deleted from this device."
      actions={
        <>
          <Button variant="ghost" onClick={() => void deleteShare().then(() => setWaiting(false))}>
            Discard
          </Button>
          {pathname !== '/login' && <ButtonLink href="/login">Log in</ButtonLink>}
        </>
      }
    />
  );
}
