import { useState } from 'react';
import { errorMessage } from '#client/platform/api/errors.ts';
import { useReachable } from '#client/platform/live/use-reachable.ts';
import { signOut, unsentLanes } from '#client/platform/session/sign-out.ts';
import { Button } from '#client/ui/buttons/button.tsx';
import { FormError } from '#client/ui/fields/form-error.tsx';
import { ConfirmDialog } from '#client/ui/overlays/dialog.tsx';
import { PRODUCT } from '#domain/product.ts';
import styles from './logout.module.css';
import { unsentMessage } from './unsent-message.ts';

/** Logs out after confirmation, which says what is removed from the device. */
export function Logout() {
  const [isAsking, setAsking] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const [unsent, setUnsent] = useState('');
  const isReachable = useReachable();
  const [problem, setProblem] = useState<unknown>();

  const ask = async () => {
    setProblem(undefined);
    setUnsent(unsentMessage(await unsentLanes()));
    setAsking(true);
  };

  // On success, the route's guard leaves this page.
  const leave = async () => {
    setProblem(undefined);
    setBusy(true);
    await signOut().catch(setProblem);
    setBusy(false);
  };

  return (
    <>
      <Button variant="secondary" block onClick={ask}>
        Logout
      </Button>
      <ConfirmDialog
        open={isAsking}
        title="Logout"
        confirm="Logout"
        danger
        busy={isBusy}
        onConfirm={leave}
        onClose={() => setAsking(false)}
      >
        <div className={styles.words}>
          {unsent && <p className={styles.unsent}>{unsent}</p>}
          <p>
            {PRODUCT} removes your data from this device: archived chats, coins you opened and your profile. Everything you sent stays in
            your account.
          </p>
          {!isReachable && <p>You are offline. You need a connection to log in again.</p>}
          {problem !== undefined && <FormError>{errorMessage(problem)}</FormError>}
        </div>
      </ConfirmDialog>
    </>
  );
}
