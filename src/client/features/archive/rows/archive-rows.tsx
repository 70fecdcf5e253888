import { useOpening } from '#client/platform/router/use-opening.ts';
import { classes } from '#client/ui/classes.ts';
import { Skeleton, SkeletonRows } from '#client/ui/feedback/skeleton.tsx';
import { SkipList } from '#client/ui/layout/two-pane.tsx';
import type { Archive } from '#contract/chat/archive.ts';
import { formatDay, formatTimeOfDay } from '#domain/format/format-date.ts';
import { isSameDay } from '#domain/format/format-time.ts';
import { ArchiveActions } from '../archive-actions.tsx';
import styles from './archive-rows.module.css';
import { PreviewLine } from './preview-line.tsx';

interface ArchiveRowsProps {
  archives: Archive[];
  /** Ids of conversations with an unsent question. */
  unsent: ReadonlySet<string>;
  /** Id of the conversation that is open next to the list. */
  current?: string | undefined;
  /** If given, each row has a menu of actions. */
  onDeleted?: ((id: string) => void) | undefined;
}

function when(createdAt: string): string {
  const at = Date.parse(createdAt);
  return isSameDay(at, Date.now()) ? `Today, ${formatTimeOfDay(at)}` : formatDay(at);
}

/** List of links to conversations; each begins with its title. */
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
  const href = `/chat/archive/${id}`;
  const [isOpening, open] = useOpening(href);
  return (
    <li className={styles.item}>
      <a className={styles.row} href={href} onClick={open} aria-current={current || isOpening ? 'page' : undefined}>
        <Title title={archive_title || 'No Title Generate'} />
        <time className={styles.when} dateTime={created_at}>
          {when(created_at)}
        </time>
        <PreviewLine archive={archive} unsent={unsent} />
      </a>
      {onDeleted && <ArchiveActions archive={archive} onDeleted={onDeleted} />}
      {current && <SkipList />}
    </li>
  );
}

/** A title whose number stays visible where the rest is cut. */
function Title({ title }: { title: string }) {
  const number = / \(\d{1,4}\)$/.exec(title)?.[0] ?? '';
  return (
    <span className={styles.title}>
      <span className={styles.start}>{title.slice(0, title.length - number.length)}</span>
      {number}
    </span>
  );
}

const outline = (
  <span className={classes(styles.row, styles.outline)}>
    <Skeleton width="56%" height={16} />
    <Skeleton width="28%" height={12} />
  </span>
);

/** Placeholder of `count` rows while the list loads. */
export const ArchiveRowsSkeleton = ({ count }: { count: number }) => <SkeletonRows count={count} row={outline} />;
