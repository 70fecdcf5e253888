import { AuthLayout } from '../auth-layout.tsx';
import { useSealedNote } from '../use-sealed-note.ts';
import { VerificationForm } from './verification-form.tsx';
import { verificationNote } from './verification-note.ts';

/** `/verification-email`: the code screen, for the purpose that the previous screen stored. */
export default function VerificationPage() {
  const verification = useSealedNote(verificationNote);
  return (
    <AuthLayout title="Verification Code" closeHref="/login">
      {verification && <VerificationForm verification={verification} />}
    </AuthLayout>
  );
}
