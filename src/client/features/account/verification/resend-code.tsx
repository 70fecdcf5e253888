import { useState } from 'react';
import { Button } from '#client/ui/buttons/button.tsx';
import { formatCountdown } from '#domain/format/format-time.ts';
import styles from './resend-code.module.css';

interface ResendCodeProps {
  /** Seconds until the code expires. */
  seconds: number;
  disabled: boolean;
  onResend: () => Promise<void>;
}

/** Shows how long the code is valid, and offers a new one once it has expired. */
export function ResendCode({ seconds, disabled, onResend }: ResendCodeProps) {
  const [busy, setBusy] = useState(false);
  const resend = async () => {
    setBusy(true);
    await onResend().finally(() => setBusy(false));
  };
  return (
    <div className={styles.between}>
      <p className={styles.countdown} role="timer">
        {seconds > 0 ? `The code expires in ${formatCountdown(seconds)}` : 'The code has expired'}
      </p>
      <Button variant="ghost" className={styles.resend} disabled={seconds > 0 || disabled} busy={busy} onClick={resend}>
        Resend Code
      </Button>
    </div>
  );
}
