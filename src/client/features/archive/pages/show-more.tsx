import { type RefObject, useEffect, useRef } from 'react';
import { errorMessage } from '#client/platform/api/errors.ts';
import { Button } from '#client/ui/buttons/button.tsx';
import type { More } from './more.ts';
import styles from './show-more.module.css';

interface ShowMoreProps extends More {
  /** Number of visible rows. */
  count: number;
  /** Element that contains the rows, each with a link to its chat. */
  rows: RefObject<HTMLElement | null>;
}

/** Button below a list: shows the next page and moves the focus to its first row. */
export function ShowMore({ hasMore, isLoadingMore, moreError, loadMore, count, rows }: ShowMoreProps) {
  const countBefore = useRef<number>(undefined);
  useEffect(() => {
    if (countBefore.current === undefined || count <= countBefore.current) return;
    rows.current?.querySelectorAll<HTMLElement>('a[href^="/chat/archive/"]')[countBefore.current]?.focus();
    countBefore.current = undefined;
  }, [count, rows]);

  if (!hasMore) return null;
  const show = () => {
    countBefore.current = count;
    void loadMore();
  };
  return (
    <div className={styles.more}>
      {moreError !== undefined && <p role="alert">{errorMessage(moreError)}</p>}
      <Button variant="ghost" busy={isLoadingMore} onClick={show}>
        Show more
      </Button>
    </div>
  );
}
