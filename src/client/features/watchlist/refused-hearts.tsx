import { userDb } from '../../platform/db/user-db';
import { retry } from '../../platform/outbox/outbox';
import { sendSoon } from '../../platform/outbox/start-lanes';
import { useClaims } from '../../platform/session/use-session';
import { Button } from '../../ui/button';
import { Icon } from '../../ui/icon';
import { HEARTS } from './heart-commands';
import { discardRefused, refusedHeart } from './hearts';
import styles from './refused-hearts.module.css';
import { useHearts } from './use-watched';

/** Hearts that the server would not have, and why; only those of one coin where it is named. */
export function RefusedHearts({ id }: { id?: number }) {
  const db = userDb(useClaims().sub);
  const refused = useHearts()?.commands.filter(({ state, body }) => state === 'parked' && (id === undefined || body.cryptoId === id)) ?? [];

  const sendAgain = async (command: string) => {
    await retry(db, command);
    sendSoon(HEARTS);
  };

  return refused.map((command) => (
    <div key={command.id} className={styles.refused} role="status">
      <Icon name="warning" size={20} />
      <p className={styles.words}>
        <bdi>{refusedHeart(command.body)}</bdi> {command.reason}
      </p>
      <div className={styles.actions}>
        <Button variant="ghost" onClick={() => void sendAgain(command.id)}>
          Retry
        </Button>
        <Button variant="ghost" onClick={() => void discardRefused(db, command.body.cryptoId)}>
          Discard
        </Button>
      </div>
    </div>
  ));
}
