import { useId, useState } from 'react';
import useSWR from 'swr';
import { errorMessage } from '#client/platform/api/errors.ts';
import { useReachable } from '#client/platform/live/use-reachable.ts';
import { canUsePasskeys } from '#client/platform/passkeys/support.ts';
import { isNotConfirmed } from '#client/platform/session/re-authentication.ts';
import { useClaims } from '#client/platform/session/use-session.ts';
import { Button } from '#client/ui/buttons/button.tsx';
import { RefusableButton, RefusalReason } from '#client/ui/buttons/refusable-button.tsx';
import { type Outcome, OutcomeNote } from '#client/ui/feedback/outcome-note.tsx';
import { SkeletonRows } from '#client/ui/feedback/skeleton.tsx';
import { FormError } from '#client/ui/fields/form-error.tsx';
import { Card } from '#client/ui/layout/card.tsx';
import { MAX_PASSKEYS, type Passkey } from '#contract/account/passkeys.ts';
import { deviceRowOutline } from '../device-row.tsx';
import { PasskeyDialog } from './passkey-dialog.tsx';
import { PasskeyRow } from './passkey-row.tsx';
import { readPasskeys } from './passkeys.ts';
import styles from './passkeys-section.module.css';

/** The user's passkeys: adding, renaming and removing them. They are read and changed online only. */
export function PasskeysSection() {
  const heading = useId();
  const userId = useClaims().sub;
  const { data, error, isLoading, mutate } = useSWR(`passkeys/${userId}`, readPasskeys);
  const offline = !useReachable();
  const [asked, ask] = useState<{ passkey: Passkey; about: 'rename' | 'remove' }>();
  const [isAdding, setAdding] = useState(false);
  const [outcome, setOutcome] = useState<Outcome>();
  const reason = useId();

  const add = async () => {
    setAdding(true);
    setOutcome(undefined);
    setOutcome(await addOne());
    setAdding(false);
    void mutate();
  };

  const end = (result?: Outcome) => {
    ask(undefined);
    if (!result) return;
    setOutcome(result);
    void mutate();
  };

  return (
    <section className={styles.section} aria-labelledby={heading}>
      <h2 id={heading}>Passkeys</h2>
      <p className={styles.quiet}>
        A passkey signs you in with your fingerprint, face or screen lock instead of your password. Your password keeps working.
      </p>
      {outcome && <OutcomeNote outcome={outcome} onClose={() => setOutcome(undefined)} />}
      <RefusalReason id={reason}>{offline && 'You can add and change passkeys once you are online.'}</RefusalReason>
      {isLoading && (
        <Card className={styles.list}>
          <SkeletonRows count={1} row={deviceRowOutline} />
        </Card>
      )}
      {!data && error !== undefined && !offline && (
        <FormError>
          Your passkeys could not be loaded. {errorMessage(error)}{' '}
          <Button variant="ghost" onClick={() => void mutate()}>
            Try again
          </Button>
        </FormError>
      )}
      {data?.length === 0 && <p className={styles.quiet}>You have no passkey yet.</p>}
      {data && data.length > 0 && (
        <Card className={styles.list}>
          <ul aria-labelledby={heading}>
            {data.map((passkey) => (
              <PasskeyRow
                key={passkey.id}
                {...{ passkey, offline, reason }}
                onRename={() => ask({ passkey, about: 'rename' })}
                onRemove={() => ask({ passkey, about: 'remove' })}
              />
            ))}
          </ul>
        </Card>
      )}
      <AddButton isFull={(data?.length ?? 0) >= MAX_PASSKEYS} {...{ offline, reason, isAdding }} onAdd={() => void add()} />
      {asked && <PasskeyDialog key={asked.passkey.id} {...asked} onEnd={end} />}
    </section>
  );
}

interface AddButtonProps {
  isFull: boolean;
  offline: boolean;
  reason: string;
  isAdding: boolean;
  onAdd: () => void;
}

function AddButton({ isFull, offline, reason, isAdding, onAdd }: AddButtonProps) {
  if (!canUsePasskeys()) return <p className={styles.quiet}>This browser cannot use passkeys at this address.</p>;
  if (isFull) return <p className={styles.quiet}>You have {MAX_PASSKEYS} passkeys. Remove one to add another.</p>;
  return (
    <RefusableButton variant="secondary" block refused={offline} reason={reason} busy={isAdding} onClick={onAdd}>
      Add a passkey
    </RefusableButton>
  );
}

async function addOne(): Promise<Outcome> {
  try {
    const { addPasskey } = await import('#client/platform/passkeys/ceremonies.ts');
    await addPasskey();
    return { tone: 'done', title: 'Your passkey is added. You can sign in with it now.' };
  } catch (error) {
    if (isNotConfirmed(error)) return { tone: 'failed', title: error.message };
    const { passkeyProblem } = await import('#client/platform/passkeys/ceremonies.ts');
    return { tone: 'failed', title: `${passkeyProblem(error, 'No passkey was made.')} Nothing was added.` };
  }
}
