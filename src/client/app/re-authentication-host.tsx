import { type ComponentType, useEffect, useState, useSyncExternalStore } from 'react';
import { endProof, isProofAsked, onProofAsked } from '../platform/session/re-authentication.ts';
import { useSession } from '../platform/session/use-session.ts';

type PasswordDialog = ComponentType<{ email: string; onEnd: (isGiven: boolean) => void }>;

/** Shows the question for the current password whenever a call needs it; its code is loaded with the first. */
export function ReAuthenticationHost() {
  const isAsked = useSyncExternalStore(onProofAsked, isProofAsked);
  const session = useSession();
  const [loaded, setLoaded] = useState<{ Dialog: PasswordDialog }>();
  const isSignedIn = session.status === 'signed-in';

  useEffect(() => {
    if (isAsked && !isSignedIn) endProof(false);
  }, [isAsked, isSignedIn]);
  useEffect(() => {
    if (!isAsked || loaded) return;
    import('../features/re-authentication/password-dialog.tsx').then(
      ({ PasswordDialog }) => setLoaded({ Dialog: PasswordDialog }),
      () => endProof(false),
    );
  }, [isAsked, loaded]);

  return isAsked && isSignedIn && loaded ? <loaded.Dialog email={session.claims.email} onEnd={endProof} /> : null;
}
