import { type ReactNode, useEffect } from 'react';
import { errorMessage } from '../platform/api/errors.ts';
import { isOnboardingClosed } from '../platform/flags.ts';
import { Redirect } from '../platform/router/redirect.tsx';
import { useProfile } from '../platform/session/profile.ts';
import { dropNotes } from '../platform/session/sealed-note.ts';
import { useSession } from '../platform/session/use-session.ts';
import { Button } from '../ui/buttons/button.tsx';
import { ErrorState } from '../ui/feedback/page-state.tsx';
import { PageSkeleton } from './page-skeleton.tsx';

interface GuardProps {
  children: ReactNode;
}

/** Sign-up, login and their like: after onboarding, and only for visitors (docs/decisions.md). */
export function PublicOnly({ children }: GuardProps) {
  const session = useSession();
  useEffect(dropNotes, []); // a code screen that was left by its address (spec §2)
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

/** The account menu: anyone who is not signed in is asked to log in (spec §2). */
export function RequireLogin({ children }: GuardProps) {
  return useSession().status === 'signed-in' ? children : <Redirect to="/login" />;
}

/** Pages that are about the user: behind a user guard, and with a profile, from the device at once or from the server. */
export function RequireProfile({ children }: GuardProps) {
  const { data, isLoading, isValidating, error, refresh } = useProfile();
  if (data) return children;
  if (isLoading) return <PageSkeleton />;
  return (
    <ErrorState
      title="Your profile could not be loaded"
      detail={`${errorMessage(error)} It is not on this device yet. Everything else stays as it is.`}
      action={
        <Button busy={isValidating} onClick={refresh}>
          Try again
        </Button>
      }
    />
  );
}
