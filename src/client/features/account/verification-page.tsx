import { AuthLayout } from './auth-layout';
import { useNote } from './use-note';
import { verificationNote } from './verification';
import { VerificationForm } from './verification-form';

/** `/verification-email` (spec §2): the code screen of whatever was kept for it. */
export default function VerificationPage() {
  const verification = useNote(verificationNote);
  return (
    <AuthLayout title="Verification Code" closeHref="/login">
      {verification && <VerificationForm verification={verification} />}
    </AuthLayout>
  );
}
