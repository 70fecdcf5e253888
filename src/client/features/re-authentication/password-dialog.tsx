import { zodResolver } from '@hookform/resolvers/zod';
import { useEffect, useId, useState } from 'react';
import { useForm } from 'react-hook-form';
import { call } from '#client/platform/api/call.ts';
import { ApiError, errorMessage } from '#client/platform/api/errors.ts';
import { canUsePasskeys } from '#client/platform/passkeys/support.ts';
import { Button } from '#client/ui/buttons/button.tsx';
import { PasswordField } from '#client/ui/fields/field.tsx';
import { FormError } from '#client/ui/fields/form-error.tsx';
import { Dialog } from '#client/ui/overlays/dialog.tsx';
import type { RequestOptions } from '#contract/account/passkeys.ts';
import { type ReAuthenticateBody, reAuthenticateBody, WRONG_PASSWORD } from '#contract/account/sessions.ts';
import { messageAnswer } from '#contract/envelope.ts';
import styles from './password-dialog.module.css';

interface PasswordDialogProps {
  /** For password managers. */
  email: string;
  onEnd: (isGiven: boolean) => void;
}

/** Asks for the current password before a sensitive change. The password is sent, but not stored here. */
export function PasswordDialog({ email, onEnd }: PasswordDialogProps) {
  const id = useId();
  const [problem, setProblem] = useState<string>();
  const [passkey, setPasskey] = usePasskeyOptions();
  const [isAsking, setAsking] = useState(false);
  const { register, handleSubmit, setError, formState } = useForm({
    resolver: zodResolver(reAuthenticateBody),
    mode: 'onSubmit', // an error message on blur would move the buttons
    defaultValues: { password: '' },
  });

  const submit = handleSubmit(async (body: ReAuthenticateBody) => {
    setProblem(undefined);
    try {
      await call('/auth/re-authenticate/', { method: 'POST', body, answer: messageAnswer });
      onEnd(true);
    } catch (error) {
      if (error instanceof ApiError && error.code === WRONG_PASSWORD)
        setError('password', { message: error.message }, { shouldFocus: true });
      else setProblem(errorMessage(error));
    }
  });

  const confirmPasskey = async (options: RequestOptions) => {
    setProblem(undefined);
    setAsking(true);
    const { confirmByPasskey, passkeyProblem, readConfirmOptions } = await ceremonies();
    try {
      await confirmByPasskey(options);
      return onEnd(true);
    } catch (error) {
      setProblem(passkeyProblem(error, 'No passkey was used. Try again, or enter your password.'));
    }
    // Options work once.
    setPasskey(await readConfirmOptions().catch(() => options));
    setAsking(false);
  };

  if (passkey === undefined) return null;
  return (
    <Dialog
      open
      title="Confirm it’s you"
      onClose={() => onEnd(false)}
      actions={
        <>
          <Button variant="secondary" onClick={() => onEnd(false)}>
            Cancel
          </Button>
          <Button type="submit" form={id} busy={formState.isSubmitting}>
            Confirm
          </Button>
        </>
      }
    >
      <form id={id} className={styles.form} onSubmit={submit} noValidate>
        <p>
          {passkey ? 'Use a passkey or enter your current password to continue.' : 'Enter your current password to continue.'} We won’t ask
          again for 10 minutes.
        </p>
        {passkey && (
          <Button variant="secondary" block busy={isAsking} onClick={() => void confirmPasskey(passkey)}>
            Use a passkey
          </Button>
        )}
        <input hidden type="email" autoComplete="username" value={email} readOnly />
        <PasswordField
          label="Current password"
          autoComplete="current-password"
          data-autofocus
          error={formState.errors.password?.message}
          {...register('password')}
        />
        {problem && <FormError>{problem}</FormError>}
      </form>
    </Dialog>
  );
}

const ceremonies = () => import('#client/platform/passkeys/ceremonies.ts');

/** The longest wait for the user's passkeys before the dialog opens, ms. */
const OPTIONS_WAIT = 1_500;

/** Returns what a passkey would sign: undefined until it is known, null without a passkey or when that takes too long. */
function usePasskeyOptions() {
  const [options, setOptions] = useState<RequestOptions | null>();
  useEffect(() => {
    const settle = (found: RequestOptions | null) => setOptions((known) => (known === undefined ? found : known));
    if (!canUsePasskeys()) return settle(null);
    const late = setTimeout(settle, OPTIONS_WAIT, null);
    ceremonies()
      .then(({ readConfirmOptions }) => readConfirmOptions())
      .then(settle, () => settle(null));
    return () => clearTimeout(late);
  }, []);
  return [options, setOptions] as const;
}
