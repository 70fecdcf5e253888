import { useEffect, useRef, useState } from 'react';
import { afterContent } from '#client/platform/after-content.ts';
import { Button } from '#client/ui/buttons/button.tsx';

const load = () => import('./passkey-sign-in.ts');

interface PasskeyButtonProps {
  /** The choice of Remember Me. */
  remember: () => boolean;
  onProblem: (problem: string | undefined) => void;
}

/** Signs in by a passkey, from this button or from the suggestions of the address field. Its code loads after the page's content. */
export function PasskeyButton({ remember, onProblem }: PasskeyButtonProps) {
  const [busy, setBusy] = useState(false);
  const props = useRef({ remember, onProblem });
  props.current = { remember, onProblem };

  useEffect(() => {
    const ended = new AbortController();
    const { signal } = ended;
    const offer = async () => {
      await afterContent();
      if (signal.aborted) return;
      const { offerPasskeys } = await load();
      await offerPasskeys({
        remember: () => props.current.remember(),
        onProblem: (problem) => props.current.onProblem(problem),
        signal,
      });
    };
    offer().catch(() => undefined); // the form works without it
    return () => ended.abort();
  }, []);

  const pick = async () => {
    setBusy(true);
    onProblem(undefined);
    const problem = await load().then(
      ({ logInByPasskey }) => logInByPasskey(remember()),
      () => 'No connection. Please try again when you are online.',
    );
    onProblem(problem);
    setBusy(false);
  };

  return (
    <Button variant="secondary" block busy={busy} onClick={() => void pick()}>
      Sign in with a passkey
    </Button>
  );
}
