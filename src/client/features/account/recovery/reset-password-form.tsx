import { zodResolver } from '@hookform/resolvers/zod';
import { useEffect, useState } from 'react';
import { useForm, useWatch } from 'react-hook-form';
import * as z from 'zod/mini';
import { errorMessage } from '#client/platform/api/errors.ts';
import { send } from '#client/platform/api/send.ts';
import { Button } from '#client/ui/buttons/button.tsx';
import { PasswordField } from '#client/ui/fields/field.tsx';
import { FormError } from '#client/ui/fields/form-error.tsx';
import { PasswordChecklist } from '#client/ui/fields/password-checklist.tsx';
import { MAX_PASSWORD, password } from '#contract/account/account.ts';
import { MESSAGES, PASSWORD_RULES } from '#contract/account/account-rules.ts';
import { messageAnswer } from '#contract/envelope.ts';
import { atMost, notEmpty } from '#contract/text.ts';
import { AccountForm } from '../account-form.tsx';
import { FormSuccess } from '../form-success.tsx';
import { resetNote } from './reset-note.ts';

const resetForm = z
  .object({
    newPassword: password,
    confirm_password: z.string().check(atMost(MAX_PASSWORD, MESSAGES.passwordMatch), notEmpty(MESSAGES.passwordMatch)),
  })
  .check(
    z.refine((form) => form.confirm_password === form.newPassword, {
      path: ['confirm_password'],
      error: MESSAGES.passwordMatch,
      when: () => true, // even if other fields are invalid
    }),
  );

/** Sets a new password for the account that the recovery code belongs to. */
export function ResetPasswordForm({ email, recoveryCode }: { email: string; recoveryCode: string }) {
  const { register, control, handleSubmit, setFocus, formState } = useForm({
    resolver: zodResolver(resetForm),
    mode: 'onSubmit', // see sign-up-page.tsx for why not on blur
    defaultValues: { newPassword: '', confirm_password: '' },
  });
  const { errors, isSubmitting } = formState;
  const newPassword = useWatch({ control, name: 'newPassword' });
  const [problem, setProblem] = useState<string>();
  const [success, setSuccess] = useState<string>();

  useEffect(() => setFocus('newPassword'), [setFocus]);

  const submit = handleSubmit(async (form) => {
    setProblem(undefined);
    try {
      const body = { email, newPassword: form.newPassword, recoveryCode };
      const { message } = await send('/auth/reset-password/', { method: 'POST', body, answer: messageAnswer });
      resetNote.drop();
      setSuccess(message);
    } catch (error) {
      setProblem(errorMessage(error));
    }
  });

  return (
    <AccountForm onSubmit={submit}>
      {/* Tells password managers whose password it is. */}
      <input type="hidden" name="username" autoComplete="username" value={email} />
      <PasswordField
        label="Password"
        autoComplete="new-password"
        hint={<PasswordChecklist rules={PASSWORD_RULES} password={newPassword} />}
        error={errors.newPassword?.message}
        {...register('newPassword', { deps: 'confirm_password' })}
      />
      <PasswordField
        label="Confirm Password"
        autoComplete="new-password"
        error={errors.confirm_password?.message}
        {...register('confirm_password')}
      />
      {problem && <FormError>{problem}</FormError>}
      {success && <FormSuccess>{success}</FormSuccess>}
      <Button type="submit" block disabled={success !== undefined} busy={isSubmitting}>
        Set New Password
      </Button>
    </AccountForm>
  );
}
