import { zodResolver } from '@hookform/resolvers/zod';
import { useEffect, useState } from 'react';
import { useForm } from 'react-hook-form';
import * as z from 'zod/mini';
import { afterContent } from '#client/platform/after-content.ts';
import { ApiError, errorMessage } from '#client/platform/api/errors.ts';
import { optionalComponent } from '#client/platform/late-component.tsx';
import { canUsePasskeys } from '#client/platform/passkeys/support.ts';
import { Button } from '#client/ui/buttons/button.tsx';
import { Checkbox, PasswordField, TextField } from '#client/ui/fields/field.tsx';
import { FormError } from '#client/ui/fields/form-error.tsx';
import { loginBody } from '#contract/account/account.ts';
import { loginRefusal } from '#contract/errors.ts';
import { AccountForm } from '../account-form.tsx';
import { AuthFoot, AuthLayout } from '../auth-layout.tsx';
import { logIn } from './log-in.ts';
import styles from './login-page.module.css';
import { PasskeyButton } from './passkey-button.tsx';

// The form does not wait for Dexie.
const PendingSignOut = optionalComponent(async () => {
  await afterContent();
  return { default: (await import('./pending-sign-out.tsx')).PendingSignOut };
});

const loginForm = z.extend(loginBody, { remember: z.boolean() });

/** The server's value for an address that is not verified yet. */
const UNVERIFIED = 2;

function isUnverified(error: unknown): boolean {
  if (!(error instanceof ApiError)) return false;
  const refusal = loginRefusal.safeParse(error.detail);
  return refusal.success && refusal.data.isVerified === UNVERIFIED;
}

/** `/login`. */
export default function LoginPage() {
  const { register, handleSubmit, getValues, setFocus, formState } = useForm({
    resolver: zodResolver(loginForm),
    mode: 'onSubmit', // see sign-up-page.tsx for why not on blur
    defaultValues: { email: '', password: '', remember: true },
  });
  const { errors, isSubmitting } = formState;
  const [problem, setProblem] = useState<unknown>();
  const [passkeyProblem, setPasskeyProblem] = useState<string>();

  useEffect(() => setFocus('password'), [setFocus]);

  const submit = handleSubmit(async ({ remember, ...credentials }) => {
    setProblem(undefined);
    setPasskeyProblem(undefined);
    await logIn(credentials, remember).catch(setProblem);
  });

  const showPasskeyProblem = (text: string | undefined) => {
    setProblem(undefined);
    setPasskeyProblem(text);
  };

  return (
    <AuthLayout title="Welcome Back">
      <PendingSignOut />
      <AccountForm onSubmit={submit}>
        <TextField
          label="Email"
          type="email"
          autoComplete="username webauthn"
          autoCapitalize="none"
          error={errors.email?.message}
          {...register('email')}
        />
        <PasswordField label="Password" autoComplete="current-password" error={errors.password?.message} {...register('password')} />
        <div className={styles.between}>
          <Checkbox label="Remember Me" {...register('remember')} />
          <a href="/forgot-password">Forgot Password?</a>
        </div>
        {problem !== undefined && (
          <FormError>
            {errorMessage(problem)} {isUnverified(problem) && <a href="/verify-email">Verify Email</a>}
          </FormError>
        )}
        <Button type="submit" block busy={isSubmitting}>
          Log In
        </Button>
        {canUsePasskeys() && <PasskeyButton remember={() => getValues('remember')} onProblem={showPasskeyProblem} />}
        {passkeyProblem && <FormError>{passkeyProblem}</FormError>}
      </AccountForm>
      <AuthFoot>
        New here? <a href="/sign-up">Sign Up</a>
      </AuthFoot>
    </AuthLayout>
  );
}
