import { useEffect, useRef } from 'react';
import { errorMessage } from '#client/platform/api/errors.ts';
import { Button } from '#client/ui/buttons/button.tsx';
import styles from './earlier-messages.module.css';

interface EarlierMessagesProps {
  loading: boolean;
  /** Why the last try brought nothing. */
  error: unknown;
  onLoad: () => void;
}

/** Above the first message that is shown: asks for those before it as soon as it is scrolled to. */
export function EarlierMessages({ loading, error, onLoad }: EarlierMessagesProps) {
  const edge = useRef<HTMLDivElement>(null);
  const load = useRef(onLoad);
  load.current = onLoad;
  const failed = error !== undefined;

  useEffect(() => {
    if (!edge.current || loading || failed) return;
    // A little before the reader gets there.
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting && load.current(), { rootMargin: '400px 0px 0px' });
    observer.observe(edge.current);
    return () => observer.disconnect();
  }, [loading, failed]);

  return (
    <div ref={edge} className={styles.earlier}>
      {failed && <p role="status">{errorMessage(error)}</p>}
      <Button variant="ghost" busy={loading} onClick={onLoad}>
        Earlier messages
      </Button>
    </div>
  );
}
