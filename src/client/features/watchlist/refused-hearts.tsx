import { userDb } from '#client/platform/db/user-db.ts';
import { retry } from '#client/platform/outbox/outbox.ts';
import { sendSoon } from '#client/platform/outbox/start-lanes.ts';
import { useClaims } from '#client/platform/session/use-session.ts';
import { Button } from '#client/ui/buttons/button.tsx';
import { Icon } from '#client/ui/graphics/icon.tsx';
import { HEARTS } from './heart-commands.ts';
import { discardRefused, refusedHeartMessage } from './hearts.ts';
import styles from './refused-hearts.module.css';
import { useHearts } from './use-watched.ts';

/** Lists watchlist changes that the server refused, with the reason. `id` limits them to one coin. */
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
        <bdi>{refusedHeartMessage(command.body)}</bdi> {command.reason}
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
