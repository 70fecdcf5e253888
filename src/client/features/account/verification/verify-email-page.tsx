import { history } from '#client/platform/router/history.ts';
import { AddressForm } from '../address-form.tsx';
import { AuthLayout } from '../auth-layout.tsx';
import { beginVerification } from './verification-note.ts';
import { requestCode } from './verification-paths.ts';

async function request(email: string) {
  await requestCode(email);
  await beginVerification({ purpose: 'email', email });
  history.push('/verification-email');
}

/** `/verify-email`: requests a code for an address that is not verified yet. */
export default function VerifyEmailPage() {
  return (
    <AuthLayout title="Email Verify" text="Please enter a email address to request a email verification." backHref="/login">
      <AddressForm action="Send Otp" request={request} />
    </AuthLayout>
  );
}
