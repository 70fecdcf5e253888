import { zodResolver } from '@hookform/resolvers/zod';
import { useEffect, useState } from 'react';
import { useForm } from 'react-hook-form';
import { errorMessage } from '#client/platform/api/errors.ts';
import { Button } from '#client/ui/buttons/button.tsx';
import { TextField } from '#client/ui/fields/field.tsx';
import { FormError } from '#client/ui/fields/form-error.tsx';
import { forgotPasswordBody } from '#contract/account/account.ts';
import { AccountForm } from './account-form.tsx';

interface AddressFormProps {
  /** The submit button's label. */
  action: string;
  /** Requests an email to this address, then leaves the page. The form shows its errors. */
  request: (email: string) => Promise<void>;
}

/** Asks for an email address. A failed request keeps the input. */
export function AddressForm({ action, request }: AddressFormProps) {
  const { register, handleSubmit, setFocus, formState } = useForm({
    resolver: zodResolver(forgotPasswordBody),
    mode: 'onSubmit', // see sign-up-page.tsx for why not on blur
    defaultValues: { email: '' },
  });
  const [problem, setProblem] = useState<string>();

  useEffect(() => setFocus('email'), [setFocus]);

  const submit = handleSubmit(async ({ email }) => {
    setProblem(undefined);
    await request(email).catch((error: unknown) => setProblem(errorMessage(error)));
  });

  return (
    <AccountForm onSubmit={submit}>
      <TextField
        label="Email"
        type="email"
        autoComplete="username"
        autoCapitalize="none"
        error={formState.errors.email?.message}
        {...register('email')}
      />
      {problem && <FormError>{problem}</FormError>}
      <Button type="submit" block busy={formState.isSubmitting}>
        {action}
      </Button>
    </AccountForm>
  );
}
