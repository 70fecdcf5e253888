import { useEffect, useState } from 'react';
import { goBack, history } from '../../platform/router/history';
import { AuthLayout } from './auth-layout';
import { dropVerification, readVerification, type Verification } from './verification';
import { VerificationForm } from './verification-form';

const PATH = '/verification-email';

/** `/verification-email` (spec §2): the code screen of whatever was kept for it; without that, one page back. */
export default function VerificationPage() {
  const [verification, setVerification] = useState<Verification>();

  useEffect(() => {
    let here = true;
    void readVerification().then((kept) => {
      if (!here) return;
      if (kept) setVerification(kept);
      else goBack('/login');
    });
    return () => {
      here = false;
    };
  }, []);

  // What is kept holds a password: it outlives neither the visit to this page nor its ten minutes.
  useEffect(
    () =>
      history.listen(({ location }) => {
        if (location.pathname !== PATH) dropVerification();
      }),
    [],
  );
  const expiresAt = verification?.expiresAt;
  useEffect(() => {
    if (expiresAt === undefined) return;
    const forget = () => {
      dropVerification();
      setVerification((kept) => kept && { ...kept, password: '' });
    };
    const end = setTimeout(forget, expiresAt - Date.now());
    return () => clearTimeout(end);
  }, [expiresAt]);

  return (
    <AuthLayout title="Verification Code" closeHref="/login">
      {verification && <VerificationForm verification={verification} />}
    </AuthLayout>
  );
}
