import { useEffect, useState } from 'react';
import { errorMessage } from '#client/platform/api/errors.ts';
import { Button, ButtonLink } from '#client/ui/buttons/button.tsx';
import { FormError } from '#client/ui/fields/form-error.tsx';
import { type Reached, TELEGRAM_LINK_LIFETIME } from '#contract/notifications/settings.ts';
import { Destination } from './destination.tsx';
import styles from './notification-settings.module.css';
import { askTelegramLink, disconnect, readPreferences } from './preferences.ts';

interface TelegramProps {
  userId: string;
  reached: Reached | null;
  onChanged: () => Promise<void>;
}

/** Connects the user's Telegram chat, by a link that works once. */
export function Telegram({ userId, reached, onChanged }: TelegramProps) {
  const [link, setLink] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<string>();
  const [notice, setNotice] = useState<string>();
  const act = async (work: () => Promise<void>) => {
    setBusy(true);
    setError(undefined);
    setNotice(undefined);
    await work().catch((failed: unknown) => setError(errorMessage(failed)));
    setBusy(false);
  };
  const ask = () => act(async () => setLink(await askTelegramLink(userId)));
  const check = () =>
    act(async () => {
      const { telegram } = await readPreferences(userId);
      if (isConnected(telegram)) await onChanged();
      else setNotice('Telegram is not connected yet. Open the bot and press Start there.');
    });
  const remove = () =>
    act(async () => {
      await disconnect(userId, 'telegram');
      setLink(undefined);
      await onChanged();
    });
  useEffect(() => {
    if (!link) return;
    const expired = () => {
      setLink(undefined);
      setNotice('The link has expired.');
    };
    const timer = setTimeout(expired, TELEGRAM_LINK_LIFETIME);
    return () => clearTimeout(timer);
  }, [link]);
  const isOn = isConnected(reached);
  return (
    <Destination title="Telegram" name={reached?.name || (reached ? 'Your chat' : undefined)} reached={reached}>
      {error && <FormError>{error}</FormError>}
      {!isOn && link && (
        <p className={styles.quiet}>
          Open the bot and press Start. The link works once, for ten minutes. Come back when the bot has answered.
        </p>
      )}
      <p role="status" className={styles.quiet}>
        {!isOn && notice}
      </p>
      <div className={styles.actions}>
        {!isOn && !link && (
          <Button variant="secondary" busy={isBusy} onClick={() => void ask()}>
            Connect Telegram
          </Button>
        )}
        {!isOn && link && (
          <>
            <ButtonLink variant="secondary" href={link} target="_blank" rel="noreferrer">
              Open the bot
            </ButtonLink>
            <Button variant="ghost" busy={isBusy} onClick={() => void check()}>
              Check
            </Button>
          </>
        )}
        {reached && (
          <Button variant="ghost" busy={isBusy} onClick={() => void remove()}>
            Disconnect Telegram
          </Button>
        )}
      </div>
    </Destination>
  );
}

const isConnected = (reached: Reached | null): boolean => reached !== null && reached.ended_at === null;
