import { Icon } from '#client/ui/graphics/icon.tsx';
import { Highlighted } from '#client/ui/labels/highlighted.tsx';
import { highlight } from '#domain/text.ts';
import type { FaqEntry } from './faq.ts';
import styles from './faq-list.module.css';

interface FaqListProps {
  entries: readonly FaqEntry[];
  /** Search text: matches are highlighted, and every answer is open. */
  query: string;
}

/** Accordion of questions. One answer is open at a time, or all during a search. */
export const FaqList = ({ entries, query }: FaqListProps) => (
  <div className={styles.list}>
    {entries.map(({ id, title, details }) => (
      <details key={`${id}/${query}`} className={styles.entry} open={query !== ''} {...(query === '' && { name: 'faq' })}>
        <summary className={styles.title}>
          <span>
            <Highlighted parts={highlight(title, query)} />
          </span>
          <span className={styles.arrow}>
            <Icon name="chevron-down" size={20} />
          </span>
        </summary>
        <div className={styles.details}>
          {details.map((text) => (
            <p key={text}>
              <Highlighted parts={highlight(text, query)} />
            </p>
          ))}
        </div>
      </details>
    ))}
  </div>
);
