import { useServerConfig } from '#client/platform/api/server-config.ts';
import { MAIL } from '#client/ui/graphics/drawings.ts';
import { Icon } from '#client/ui/graphics/icon.tsx';
import { MAILBOX_PATH } from '#contract/paths.ts';
import styles from './mailbox-hint.module.css';

/** Links to the server's mailbox page, if the server stores mail instead of sending it. */
export function MailboxHint() {
  if (!useServerConfig()?.mailbox) return null;
  return (
    <p className={styles.hint}>
      <Icon name={MAIL} size={20} />
      <span>
        This server sends no mail. Your code is in its{' '}
        <a href={MAILBOX_PATH} target="_blank" rel="noopener" data-native>
          mailbox
        </a>
        .
      </span>
    </p>
  );
}
