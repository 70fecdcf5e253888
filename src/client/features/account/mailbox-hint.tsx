import useSWR from 'swr';
import { serverConfigAnswer } from '../../../contract/config';
import { MAILBOX_PATH } from '../../../contract/paths';
import { send } from '../../platform/api/send';
import { Icon } from '../../ui/icon';
import styles from './mailbox-hint.module.css';

const readConfig = async () => (await send('/config', { answer: serverConfigAnswer })).data;

/** Where the mail went, on a server that keeps it to itself (docs/decisions.md, mail). */
export function MailboxHint() {
  const { data } = useSWR('config', readConfig, { revalidateOnFocus: false });
  if (!data?.mailbox) return null;
  return (
    <p className={styles.hint}>
      <Icon name="mail" size={20} />
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
