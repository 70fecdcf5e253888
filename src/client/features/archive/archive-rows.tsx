import { classes } from '#client/ui/classes.ts';
import { Skeleton, SkeletonRows } from '#client/ui/feedback/skeleton.tsx';
import { Icon } from '#client/ui/graphics/icon.tsx';
import { SkipList } from '#client/ui/layout/two-pane.tsx';
import type { Archive } from '#contract/chat/archive.ts';
import { isSameDay } from '#domain/format/format-time.ts';
import { ArchiveActions } from './archive-actions.tsx';
import styles from './archive-rows.module.css';

interface ArchiveRowsProps {
  archives: Archive[];
  /** Ids of those with a question that has not reached the server. */
  unsent: ReadonlySet<string>;
  /** Id of the one that is open beside the list. */
  current?: string | undefined;
  /** With it, each row has a menu to rename and delete it. */
  onDeleted?: ((id: string) => void) | undefined;
}

const time = new Intl.DateTimeFormat('en', { timeStyle: 'short' });
const date = new Intl.DateTimeFormat('en', { dateStyle: 'medium' });

function when(createdAt: string): string {
  const at = Date.parse(createdAt);
  return isSameDay(at, Date.now()) ? `Today, ${time.format(at)}` : date.format(at);
}

/** Conversations, each a link whose first line is its title (spec §2). */
export const ArchiveRows = ({ archives, unsent, current, onDeleted }: ArchiveRowsProps) => (
  <ul>
    {archives.map((archive) => (
      <Row key={archive.id} archive={archive} unsent={unsent.has(archive.id)} current={archive.id === current} onDeleted={onDeleted} />
    ))}
  </ul>
);

interface RowProps {
  archive: Archive;
  unsent: boolean;
  current: boolean;
  onDeleted: ((id: string) => void) | undefined;
}

function Row({ archive, unsent, current, onDeleted }: RowProps) {
  const { id, archive_title, created_at } = archive;
  return (
    <li className={styles.item}>
      <a className={styles.row} href={`/chat/archive/${id}`} aria-current={current ? 'page' : undefined}>
        <span className={styles.title}>{archive_title || 'No Title Generate'}</span>
        <span className={styles.when}>
          <time dateTime={created_at}>{when(created_at)}</time>
          {unsent && (
            <span className={styles.unsent}>
              <Icon name="clock" size={16} />
              Not sent yet
            </span>
          )}
        </span>
      </a>
      {onDeleted && <ArchiveActions archive={archive} onDeleted={onDeleted} />}
      {current && <SkipList />}
    </li>
  );
}

const outline = (
  <span className={classes(styles.row, styles.outline)}>
    <Skeleton width="56%" height={16} />
    <Skeleton width="28%" height={12} />
  </span>
);

/** The outline of `count` rows while the device is read. */
export const ArchiveRowsSkeleton = ({ count }: { count: number }) => <SkeletonRows count={count} row={outline} />;
