import { type FormEvent, useState } from 'react';
import { errorMessage } from '#client/platform/api/errors.ts';
import { Button } from '#client/ui/buttons/button.tsx';
import { type Outcome, OutcomeNote } from '#client/ui/feedback/outcome-note.tsx';
import { TextField } from '#client/ui/fields/field.tsx';
import { type Reached, WEBHOOK_MESSAGES } from '#contract/notifications/settings.ts';
import { Destination } from './destination.tsx';
import styles from './notification-settings.module.css';
import { disconnect, saveWebhook, testWebhook } from './preferences.ts';

interface WebhookProps {
  userId: string;
  reached: Reached | null;
  onChanged: () => Promise<void>;
}

/** Sends notifications to an address of the user, signed with a secret that is shown once. */
export function Webhook({ userId, reached, onChanged }: WebhookProps) {
  const [secret, setSecret] = useState<string>();
  const [error, setError] = useState<string>();
  const [outcome, setOutcome] = useState<Outcome>();
  const [isBusy, setBusy] = useState(false);

  const act = async (work: () => Promise<Outcome | undefined>) => {
    setBusy(true);
    setOutcome(undefined);
    setOutcome(await work().catch((failed: unknown): Outcome => ({ tone: 'failed', title: errorMessage(failed) })));
    setBusy(false);
    await onChanged();
  };
  const save = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    const url = String(new FormData(form).get('url') ?? '').trim();
    const complaint = complaintAbout(url);
    setError(complaint);
    if (complaint) return;
    void act(async () => {
      setSecret(await saveWebhook(userId, url));
      form.reset();
      return undefined;
    });
  };
  const test = () =>
    act(async () => {
      const failure = await testWebhook(userId);
      return failure === null
        ? { tone: 'done', title: 'The receiver took the test message.' }
        : { tone: 'failed', title: 'The test message did not arrive.', detail: `${failure}.` };
    });
  const remove = () =>
    act(async () => {
      await disconnect(userId, 'webhook');
      setSecret(undefined);
      return { tone: 'done', title: 'The webhook is removed.' };
    });

  return (
    <Destination title="Webhook" name={reached?.name} reached={reached}>
      {outcome && <OutcomeNote outcome={outcome} onClose={() => setOutcome(undefined)} />}
      {secret && <NewSecret secret={secret} />}
      <form className={styles.form} onSubmit={save} noValidate>
        <TextField
          label={reached ? 'New address' : 'Address'}
          name="url"
          type="url"
          inputMode="url"
          autoComplete="off"
          maxLength={500}
          placeholder="https://example.com/hook"
          error={error}
          hint="For developers: each notification is posted there as signed JSON."
        />
        <Button type="submit" variant="secondary" busy={isBusy}>
          {reached ? 'Replace webhook' : 'Add webhook'}
        </Button>
      </form>
      {reached && (
        <div className={styles.actions}>
          <Button variant="secondary" busy={isBusy} onClick={() => void test()}>
            Send a test
          </Button>
          <Button variant="ghost" busy={isBusy} onClick={() => void remove()}>
            Remove webhook
          </Button>
        </div>
      )}
    </Destination>
  );
}

/** The server decides; this only saves a request. */
const complaintAbout = (url: string): string | undefined =>
  /^https?:\/\/./i.test(url) && URL.canParse(url) ? undefined : WEBHOOK_MESSAGES.address;

const NewSecret = ({ secret }: { secret: string }) => (
  <div className={styles.secret} role="status">
    <p>The secret that signs the messages. It is shown only now: store it at the receiver.</p>
    <code>{secret}</code>
  </div>
);
