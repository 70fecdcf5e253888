import { useRef, useState } from 'react';
import { NetworkError } from './errors.ts';

/**
 * Sends a form under an idempotency key. A retry after a lost answer reuses the key, so that the server acts once.
 * @param failureOf describes an error for the screen
 */
export function useFormRequest<Form, Failure>(request: (form: Form, key: string) => Promise<void>, failureOf: (error: unknown) => Failure) {
  const [failure, setFailure] = useState<Failure>();
  const unanswered = useRef<{ form: string; key: string }>(undefined);

  async function submit(form: Form) {
    setFailure(undefined);
    const written = JSON.stringify(form);
    const key = unanswered.current?.form === written ? unanswered.current.key : crypto.randomUUID();
    unanswered.current = undefined;
    try {
      await request(form, key);
    } catch (error) {
      if (error instanceof NetworkError) unanswered.current = { form: written, key };
      setFailure(failureOf(error));
    }
  }

  return { failure, submit };
}
