import { RefusableButton } from '#client/ui/buttons/refusable-button.tsx';
import { Skeleton } from '#client/ui/feedback/skeleton.tsx';
import { LAPTOP, PHONE } from '#client/ui/graphics/drawings.ts';
import { Icon } from '#client/ui/graphics/icon.tsx';
import { Chip } from '#client/ui/labels/chip.tsx';
import { formatAge } from '#client/ui/labels/format-age.ts';
import type { Device } from '#contract/account/sessions.ts';
import { formatDateTime, formatDay } from '#domain/format/format-date.ts';
import styles from './device-row.module.css';

export const nameOf = ({ name }: Device): string => name ?? 'Unknown device';

interface DeviceRowProps {
  device: Device;
  /** ms UTC. */
  now: number;
  offline: boolean;
  /** Id of the text that says why buttons refuse offline. */
  reason: string;
  onSignOut: () => void;
}

/** One signed-in device, with a button to sign it out. */
export function DeviceRow({ device, now, offline, reason, onSignOut }: DeviceRowProps) {
  const { network, signed_in_at, last_seen_at, current } = device;
  const name = nameOf(device);
  const seen = Date.parse(last_seen_at);
  const age = formatAge(seen, now);
  return (
    <li className={styles.row}>
      <span className={styles.icon}>
        <Icon name={/iPhone|iPad|Android/.test(name) ? PHONE : LAPTOP} size={20} />
      </span>
      <span className={styles.words}>
        <span className={styles.name}>
          {name} {current && <Chip>This device</Chip>}
        </span>
        <span className={styles.quiet}>
          <time dateTime={last_seen_at} title={formatDateTime(seen)}>
            Last seen {age}
          </time>
        </span>
        <span className={styles.quiet}>
          Signed in on <time dateTime={signed_in_at}>{formatDay(signed_in_at)}</time>
          {network && (
            <>
              {' '}
              from <span className={styles.network}>{network}</span>
            </>
          )}
        </span>
      </span>
      {!current && (
        <RefusableButton
          variant="secondary"
          className={styles.out}
          aria-label={`Sign out ${name}, last seen ${age}`}
          refused={offline}
          reason={reason}
          onClick={onSignOut}
        >
          Sign out
        </RefusableButton>
      )}
    </li>
  );
}

/** The outline of a row while the list loads. */
export const deviceRowOutline = (
  <span className={styles.row}>
    <Skeleton width={36} height={36} radius="50%" />
    <span className={styles.words}>
      <Skeleton width="52%" height={16} />
      <Skeleton width="72%" height={12} />
      <Skeleton width="44%" height={12} />
    </span>
  </span>
);
