import { useAmountsHidden } from '#client/platform/device-choices/hidden-amounts.ts';
import { Icon } from '#client/ui/graphics/icon.tsx';
import type { Archive } from '#contract/chat/archive.ts';
import { HIDDEN_AMOUNTS } from '#domain/bots/bot-amounts.ts';
import styles from './preview-line.module.css';

/** A number at the end may be an amount whose unit was cut off. */
const CUT_AMOUNT = /[+-]?[$₿]?\d[\d.,]*$/;

/** The line below a chat's title: how its newest message begins, and the state of a question without an answer. */
export function PreviewLine({ archive, unsent = false }: { archive: Archive; unsent?: boolean }) {
  const { preview, preview_of: of, preview_own: isOwn } = archive;
  const hidden = useAmountsHidden();
  if (preview === undefined && !unsent) return null;
  const shown = hidden && isOwn ? HIDDEN_AMOUNTS.sentence((preview ?? '').replace(CUT_AMOUNT, '')) : preview;
  return (
    <span className={styles.line}>
      {unsent && (
        <span className={styles.warning}>
          <Icon name="clock" size={16} />
          Not sent yet
        </span>
      )}
      {!unsent && of === 'waiting' && <span className={styles.state}>No answer yet</span>}
      {!unsent && of === 'failed' && (
        <span className={styles.warning}>
          <Icon name="warning" size={16} />
          Not answered
        </span>
      )}
      {shown !== undefined && (
        <span className={styles.text}>
          {of !== undefined && of !== 'answer' && 'You: '}
          <bdi>{shown || 'Picture'}</bdi>
        </span>
      )}
    </span>
  );
}
