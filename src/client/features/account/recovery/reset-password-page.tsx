import { AuthFoot, AuthLayout } from '../auth-layout.tsx';
import { useSealedNote } from '../use-sealed-note.ts';
import { resetNote } from './reset-note.ts';
import { ResetPasswordForm } from './reset-password-form.tsx';

/** `/reset-password`: needs the grant of a correct code. */
export default function ResetPasswordPage() {
  const grant = useSealedNote(resetNote);
  return (
    <AuthLayout title="Reset Password" text="Please type your new password." closeHref="/login">
      {grant && <ResetPasswordForm email={grant.email} recoveryCode={grant.recoveryCode} />}
      <AuthFoot>
        <a href="/forgot-password">Request a new code</a>
      </AuthFoot>
    </AuthLayout>
  );
}
