import { useEffect, useRef } from 'react';
import { errorMessage } from '#client/platform/api/errors.ts';
import { Button } from '#client/ui/buttons/button.tsx';
import styles from './earlier-messages.module.css';

interface EarlierMessagesProps {
  loading: boolean;
  /** Error of the last attempt. */
  error: unknown;
  onLoad: () => void;
}

/** Loads earlier messages when the user scrolls to the first one. */
export function EarlierMessages({ loading, error, onLoad }: EarlierMessagesProps) {
  const edge = useRef<HTMLDivElement>(null);
  const load = useRef(onLoad);
  load.current = onLoad;
  const failed = error !== undefined;

  useEffect(() => {
    if (!edge.current || loading || failed) return;
    // Starts before the first message is visible.
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
