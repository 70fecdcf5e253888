import { zodResolver } from '@hookform/resolvers/zod';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { deletionRequestBody } from '../../../contract/contact';
import { messageAnswer } from '../../../contract/envelope';
import { PRODUCT } from '../../../domain/product';
import { call } from '../../platform/api/call';
import { errorMessage } from '../../platform/api/errors';
import { Button } from '../../ui/button';
import { TextArea, TextField } from '../../ui/field';
import { FormError } from '../../ui/form-error';
import styles from './form.module.css';

interface DeletionFormProps {
  name: string;
  email: string;
  userId: string;
  onSent: () => void;
}

/** Asks for the deletion of the account. Without a connection it stays filled and can be sent again. */
export function DeletionForm({ name, email, userId, onSent }: DeletionFormProps) {
  const { register, handleSubmit, formState } = useForm({
    resolver: zodResolver(deletionRequestBody),
    mode: 'onSubmit', // not on blur: see sign-up
    defaultValues: { user_id: userId, name, email, message: '' },
  });
  const { errors, isSubmitting } = formState;
  /** However often this is sent, it is one request. What is written anew after a refusal is another. */
  const [request, setRequest] = useState<{ body: string; key: string }>();
  const [problem, setProblem] = useState<string>();

  const submit = handleSubmit(async (body) => {
    setProblem(undefined);
    const written = JSON.stringify(body);
    const key = request?.body === written ? request.key : crypto.randomUUID();
    setRequest({ body: written, key });
    try {
      await call('/user/delete/send-request', { method: 'POST', body, answer: messageAnswer, key });
      onSent();
    } catch (error) {
      setProblem(errorMessage(error));
    }
  });

  return (
    <form className={styles.form} onSubmit={submit} noValidate>
      <p>
        {PRODUCT}'s support deletes your account and what it holds after reading this: your chats, your profile and your plan. Until then
        everything stays as it is.
      </p>
      <TextField label="Name" autoComplete="name" error={errors.name?.message} {...register('name')} />
      <TextField label="Email" type="email" readOnly error={errors.email?.message} {...register('email')} />
      <TextArea label="Message" data-autofocus error={errors.message?.message} {...register('message')} />
      {problem && <FormError>{problem}</FormError>}
      <Button type="submit" block busy={isSubmitting}>
        Send
      </Button>
    </form>
  );
}
