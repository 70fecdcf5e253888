import { history } from '#client/platform/router/history.ts';
import { AddressForm } from '../address-form.tsx';
import { AuthFoot, AuthLayout } from '../auth-layout.tsx';
import { beginVerification } from '../verification/verification-note.ts';
import { requestReset } from '../verification/verification-paths.ts';

/** Continues the same way for every address, so that strangers cannot find out which addresses have an account. */
async function request(email: string) {
  await requestReset(email);
  await beginVerification({ purpose: 'forgot-password', email });
  history.push('/verification-email');
}

/** `/forgot-password`. */
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
