import { zodResolver } from '@hookform/resolvers/zod';
import { useId, useState } from 'react';
import { useForm } from 'react-hook-form';
import { call } from '#client/platform/api/call.ts';
import { ApiError, errorMessage } from '#client/platform/api/errors.ts';
import { Button } from '#client/ui/buttons/button.tsx';
import { PasswordField } from '#client/ui/fields/field.tsx';
import { FormError } from '#client/ui/fields/form-error.tsx';
import { Dialog } from '#client/ui/overlays/dialog.tsx';
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
        <p>Enter your current password to continue. We won’t ask again for 10 minutes.</p>
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
