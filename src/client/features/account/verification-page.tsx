import { AuthLayout } from './auth-layout.tsx';
import { useNote } from './use-note.ts';
import { verificationNote } from './verification.ts';
import { VerificationForm } from './verification-form.tsx';

/** `/verification-email` (spec §2): the code screen of whatever was kept for it. */
export default function VerificationPage() {
  const verification = useNote(verificationNote);
  return (
    <AuthLayout title="Verification Code" closeHref="/login">
      {verification && <VerificationForm verification={verification} />}
    </AuthLayout>
  );
}
