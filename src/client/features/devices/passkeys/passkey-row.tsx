import { RefusableButton } from '#client/ui/buttons/refusable-button.tsx';
import { KEY } from '#client/ui/graphics/drawings.ts';
import { Icon } from '#client/ui/graphics/icon.tsx';
import { useMinutes } from '#client/ui/hooks/use-minutes.ts';
import { formatAge } from '#client/ui/labels/format-age.ts';
import type { Passkey } from '#contract/account/passkeys.ts';
import { formatDay } from '#domain/format/format-date.ts';
import rowStyles from '../device-row.module.css';
import styles from './passkey-row.module.css';

interface PasskeyRowProps {
  passkey: Passkey;
  offline: boolean;
  /** Id of the text that says why buttons refuse offline. */
  reason: string;
  onRename: () => void;
  onRemove: () => void;
}

/** One passkey, with buttons to rename and remove it. */
export function PasskeyRow({ passkey, offline, reason, onRename, onRemove }: PasskeyRowProps) {
  const { name, created_at, last_used_at, synced } = passkey;
  const now = useMinutes();
  return (
    <li className={rowStyles.row}>
      <span className={rowStyles.icon}>
        <Icon name={KEY} size={20} />
      </span>
      <span className={rowStyles.words}>
        <span className={rowStyles.name}>{name}</span>
        <span className={rowStyles.quiet}>
          {last_used_at ? <time dateTime={last_used_at}>Last used {formatAge(Date.parse(last_used_at), now)}</time> : 'Not used yet'}
        </span>
        <span className={rowStyles.quiet}>
          Added on <time dateTime={created_at}>{formatDay(created_at)}</time>
          {synced && ', synced by its password manager'}
        </span>
      </span>
      <span className={styles.actions}>
        <RefusableButton
          variant="secondary"
          className={rowStyles.out}
          aria-label={`Rename ${name}`}
          refused={offline}
          reason={reason}
          onClick={onRename}
        >
          Rename
        </RefusableButton>
        <RefusableButton
          variant="secondary"
          className={rowStyles.out}
          aria-label={`Remove ${name}`}
          refused={offline}
          reason={reason}
          onClick={onRemove}
        >
          Remove
        </RefusableButton>
      </span>
    </li>
  );
}
