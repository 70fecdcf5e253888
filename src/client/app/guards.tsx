import { type ReactNode, useEffect } from 'react';
import { errorMessage } from '../platform/api/errors.ts';
import { isOnboardingClosed } from '../platform/flags.ts';
import { dropNotes } from '../platform/notes/drop-notes.ts';
import { Redirect } from '../platform/router/redirect.tsx';
import { useProfile } from '../platform/session/profile.ts';
import { useSession } from '../platform/session/use-session.ts';
import { Button } from '../ui/buttons/button.tsx';
import { ErrorState } from '../ui/feedback/page-state.tsx';
import { PageSkeleton } from './page-skeleton.tsx';

interface GuardProps {
  children: ReactNode;
}

/** Shows sign-up, login and similar pages: after onboarding, and only to visitors. */
export function PublicOnly({ children }: GuardProps) {
  const session = useSession();
  useEffect(dropNotes, []); // the user may have left a code screen through the address bar
  if (!isOnboardingClosed()) return <Redirect to="/" />;
  if (session.status === 'signed-in') return <Redirect to="/home" />;
  return children;
}

/** Shows the onboarding screens. Once onboarding is closed, redirects to sign-up. */
export function BeforeOnboarding({ children }: GuardProps) {
  return isOnboardingClosed() ? <Redirect to="/sign-up" /> : children;
}

/** Shows the main app to signed-in users. Redirects to login after a session has ended, and others to the start. */
export function RequireUser({ children }: GuardProps) {
  const session = useSession();
  if (!isOnboardingClosed()) return <Redirect to="/" />;
  if (session.status !== 'signed-in') return <Redirect to={session.status === 'signed-out' && session.ended ? '/login' : '/'} />;
  return children;
}

/** Shows the account menu to signed-in users and redirects others to login. */
export function RequireLogin({ children }: GuardProps) {
  return useSession().status === 'signed-in' ? children : <Redirect to="/login" />;
}

/** Shows a page that needs the profile: from the device at once, else from the server. Use it inside a user guard. */
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
