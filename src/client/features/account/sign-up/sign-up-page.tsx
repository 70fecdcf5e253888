import { zodResolver } from '@hookform/resolvers/zod';
import { useEffect, useRef, useState } from 'react';
import { useForm, useWatch } from 'react-hook-form';
import { errorMessage } from '#client/platform/api/errors.ts';
import { send } from '#client/platform/api/send.ts';
import { history } from '#client/platform/router/history.ts';
import { Button } from '#client/ui/buttons/button.tsx';
import { Checkbox, PasswordField, TextField } from '#client/ui/fields/field.tsx';
import { FormError } from '#client/ui/fields/form-error.tsx';
import { PasswordChecklist } from '#client/ui/fields/password-checklist.tsx';
import { registerAnswer } from '#contract/account/account.ts';
import { PASSWORD_RULES } from '#contract/account/account-rules.ts';
import { AccountForm } from '../account-form.tsx';
import { AuthFoot, AuthLayout } from '../auth-layout.tsx';
import { beginVerification } from '../verification/verification-note.ts';
import { dropDraft, keepDraft, readDraft, type SignUpForm, signUpForm } from './sign-up-form.ts';
import styles from './sign-up-page.module.css';

/** `/sign-up`. */
export default function SignUpPage() {
  // Not on blur: an error message would move the button away under the pointer, and the click would be lost.
  const form = useForm({ resolver: zodResolver(signUpForm), mode: 'onSubmit', defaultValues: readDraft() });
  const { register, control, getValues, setFocus } = form;
  const { errors, isSubmitting } = form.formState;
  const [problem, setProblem] = useState<string>();
  const password = useWatch({ control, name: 'password' });
  const done = useRef(false);

  useEffect(() => setFocus('first_name'), [setFocus]);

  // The terms are on another page. Coming back restores the input.
  useEffect(
    () => () => {
      if (!done.current) keepDraft(getValues());
    },
    [getValues],
  );

  const submit = form.handleSubmit(async (values) => {
    setProblem(undefined);
    try {
      const account = await signUp(values);
      await beginVerification({ purpose: 'sign-up', email: account.email, password: values.password, registration: account.id });
      done.current = true;
      dropDraft();
      history.push('/verification-email');
    } catch (error) {
      setProblem(errorMessage(error));
    }
  });

  return (
    <AuthLayout title="Create an Account">
      <AccountForm onSubmit={submit}>
        <div className={styles.names}>
          <TextField label="First Name" autoComplete="given-name" error={errors.first_name?.message} {...register('first_name')} />
          <TextField label="Last Name" autoComplete="family-name" error={errors.last_name?.message} {...register('last_name')} />
        </div>
        <TextField
          label="Email"
          type="email"
          autoComplete="email"
          autoCapitalize="none"
          error={errors.email?.message}
          {...register('email')}
        />
        <PasswordField
          label="Password"
          autoComplete="new-password"
          hint={<PasswordChecklist rules={PASSWORD_RULES} password={password} />}
          error={errors.password?.message}
          {...register('password', { deps: 'confirm_password' })}
        />
        <PasswordField
          label="Confirm Password"
          autoComplete="new-password"
          error={errors.confirm_password?.message}
          {...register('confirm_password')}
        />
        <Checkbox
          label={
            <>
              I agree to the <a href="/settings/terms-and-conditions">Terms and Conditions</a>
            </>
          }
          error={errors.terms?.message}
          {...register('terms')}
        />
        {problem && <FormError>{problem}</FormError>}
        <Button type="submit" block busy={isSubmitting}>
          Sign Up
        </Button>
      </AccountForm>
      <AuthFoot>
        <a href="/login">Already have an account?</a>
      </AuthFoot>
    </AuthLayout>
  );
}

/** Registers an account. Throws like `send`, and if the answer has no account. */
async function signUp({ first_name, last_name, email, password }: SignUpForm) {
  const body = { first_name, last_name, email, country: '', password };
  const { data } = await send('/auth/register/', { method: 'POST', body, answer: registerAnswer });
  const [account] = data;
  if (!account) throw new Error('registered, but no account came back');
  return account;
}
