import type { ReactNode } from 'react';
import { isOnboardingClosed } from '../platform/flags';
import { Redirect } from '../platform/router/redirect';
import { useSession } from '../platform/session/use-session';

interface GuardProps {
  children: ReactNode;
}

/** Sign-up, login and their like: after onboarding, and only for visitors (docs/decisions.md). */
export function PublicOnly({ children }: GuardProps) {
  const session = useSession();
  if (!isOnboardingClosed()) return <Redirect to="/" />;
  if (session.status === 'signed-in') return <Redirect to="/home" />;
  return children;
}

/** The onboarding screens: once closed, they lead on to sign-up (spec §2). */
export function BeforeOnboarding({ children }: GuardProps) {
  return isOnboardingClosed() ? <Redirect to="/sign-up" /> : children;
}

/** The main app: onboarding closed and a user signed in. A session that ended leads to login, anyone else to the start. */
export function RequireUser({ children }: GuardProps) {
  const session = useSession();
  if (!isOnboardingClosed()) return <Redirect to="/" />;
  if (session.status !== 'signed-in') return <Redirect to={session.status === 'signed-out' && session.ended ? '/login' : '/'} />;
  return children;
}
