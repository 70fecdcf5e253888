import { history } from '#client/platform/router/history.ts';
import { AddressForm } from '../address-form.tsx';
import { AuthFoot, AuthLayout } from '../auth-layout.tsx';
import { beginVerification } from '../verification/verification-note.ts';
import { requestReset } from '../verification/verification-paths.ts';

/** The answer is the same for every address: what follows is the same, too. */
async function request(email: string) {
  await requestReset(email);
  await beginVerification({ purpose: 'forgot-password', email });
  history.push('/verification-email');
}

/** `/forgot-password` (spec §2, §4). */
export default function ForgotPasswordPage() {
  return (
    <AuthLayout title="Forgot Password" text="Please enter a email address to request a password reset." closeHref="/login">
      <AddressForm action="Send Reset Otp" request={request} />
      <AuthFoot>
        <a href="/login">Wait, I remember my password</a>
      </AuthFoot>
    </AuthLayout>
  );
}
