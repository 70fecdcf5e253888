import { type ComponentType, useEffect, useState } from 'react';
import { endPasswordQuestion, useIsPasswordAsked } from '../platform/session/re-authentication.ts';
import { useSession } from '../platform/session/use-session.ts';

type PasswordDialog = ComponentType<{ email: string; onEnd: (isConfirmed: boolean) => void }>;

/** Asks for the current password when a call requires it. Loads the dialog's code with the first question. */
export function ReAuthenticationHost() {
  const isAsked = useIsPasswordAsked();
  const session = useSession();
  const [loaded, setLoaded] = useState<{ Dialog: PasswordDialog }>();
  const isSignedIn = session.status === 'signed-in';

  useEffect(() => {
    if (isAsked && !isSignedIn) endPasswordQuestion(false);
  }, [isAsked, isSignedIn]);
  useEffect(() => {
    if (!isAsked || loaded) return;
    import('../features/re-authentication/password-dialog.tsx').then(
      ({ PasswordDialog }) => setLoaded({ Dialog: PasswordDialog }),
      () => endPasswordQuestion(false),
    );
  }, [isAsked, loaded]);

  return isAsked && isSignedIn && loaded ? <loaded.Dialog email={session.claims.email} onEnd={endPasswordQuestion} /> : null;
}
