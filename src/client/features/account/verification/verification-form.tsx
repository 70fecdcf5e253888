import { zodResolver } from '@hookform/resolvers/zod';
import { type SyntheticEvent, useRef, useState } from 'react';
import { useController, useForm } from 'react-hook-form';
import * as z from 'zod/mini';
import { ApiError, errorMessage } from '#client/platform/api/errors.ts';
import { optionalComponent } from '#client/platform/late-component.tsx';
import { toast } from '#client/platform/toast.ts';
import { Button, ButtonLink } from '#client/ui/buttons/button.tsx';
import { FormError } from '#client/ui/fields/form-error.tsx';
import { MESSAGES } from '#contract/account/account-rules.ts';
import { atMost } from '#contract/text.ts';
import { maskEmail } from '#domain/text.ts';
import { AccountForm } from '../account-form.tsx';
import { FormSuccess } from '../form-success.tsx';
import { CodeBoxes } from './code-boxes.tsx';
import { ResendCode } from './resend-code.tsx';
import { useCountdown } from './use-countdown.ts';
import styles from './verification-form.module.css';
import { CODE_LIFE, type Verification, verificationNote } from './verification-note.ts';
import { VERIFICATION_PATHS } from './verification-paths.ts';

// It waits for an answer of the server, so the form does not wait for its code.
const MailboxHint = optionalComponent(async () => ({ default: (await import('./mailbox-hint.tsx')).MailboxHint }));

const NO_CODE = ['', '', '', ''];
const codeForm = z.object({ digits: z.array(z.string().check(atMost(1, MESSAGES.codeDigits), z.regex(/^\d$/, MESSAGES.codeDigits))) });

/** Takes the verification code, then continues with the purpose it was sent for. */
export function VerificationForm({ verification }: { verification: Verification }) {
  const { email, purpose } = verification;
  const path = VERIFICATION_PATHS[purpose];
  const { control, handleSubmit, formState } = useForm({
    resolver: zodResolver(codeForm),
    mode: 'onChange',
    defaultValues: { digits: NO_CODE },
  });
  const { field } = useController({ control, name: 'digits' });
  const [codeEndsAt, setCodeEndsAt] = useState(verification.codeEndsAt);
  const seconds = useCountdown(codeEndsAt);
  const [problem, setProblem] = useState<string>();
  const [isVerified, setVerified] = useState(false);
  const [success, setSuccess] = useState<string>();
  /** A new attempt remounts the boxes, with the focus in the first. */
  const [attempt, setAttempt] = useState(0);

  const startOver = () => setAttempt((count) => count + 1);

  const type = (digits: string[]) => {
    setProblem(undefined);
    field.onChange(digits);
  };

  const submit = useOneAtATime(
    handleSubmit(async ({ digits }) => {
      if (seconds === 0 || isVerified) return;
      setProblem(undefined);
      try {
        const { message } = await path.verify(verification, digits.join(''));
        setVerified(true);
        verificationNote.drop();
        if (path.succeed) await path.succeed(verification);
        else setSuccess(message);
      } catch (error) {
        setProblem(errorMessage(error));
        if (error instanceof ApiError && error.status === 400) startOver();
      }
    }),
  );

  const resend = async () => {
    setProblem(undefined);
    try {
      await path.resend(verification);
      const next = Date.now() + CODE_LIFE;
      await verificationNote.keep({ ...verification, codeEndsAt: next });
      setCodeEndsAt(next);
      field.onChange(NO_CODE);
      startOver();
      toast('A new code is on its way');
    } catch (error) {
      setProblem(errorMessage(error));
    }
  };

  return (
    <AccountForm onSubmit={submit}>
      <p className={styles.intro}>
        Enter the four digits that we sent to <strong>{maskEmail(email)}</strong>.
      </p>
      <CodeBoxes key={attempt} value={field.value} onChange={type} onComplete={() => void submit()} />
      <ResendCode seconds={seconds} disabled={isVerified} onResend={resend} />
      {problem && <FormError>{isVerified ? `Your email is verified, but logging in failed. ${problem}` : problem}</FormError>}
      {success && <FormSuccess>{success}</FormSuccess>}
      {isVerified && problem ? (
        <ButtonLink href="/login" block>
          Log In
        </ButtonLink>
      ) : (
        <Button type="submit" block disabled={!formState.isValid || seconds === 0 || isVerified} busy={formState.isSubmitting}>
          Verify
        </Button>
      )}
      <MailboxHint />
    </AccountForm>
  );
}

/** Returns `submit` that ignores calls while one runs. */
function useOneAtATime(submit: (event?: SyntheticEvent) => Promise<void>) {
  const isRunning = useRef(false);
  return async (event?: SyntheticEvent) => {
    event?.preventDefault();
    if (isRunning.current) return;
    isRunning.current = true;
    await submit(event).finally(() => {
      isRunning.current = false;
    });
  };
}
