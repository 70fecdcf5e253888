import { useEffect, useState } from 'react';
import { readPasskeys } from '#client/features/devices/passkeys/passkeys.ts';
import { addPasskey, passkeyProblem } from '#client/platform/passkeys/ceremonies.ts';
import { closeOffer } from '#client/platform/passkeys/offer.ts';
import { toast } from '#client/platform/toast.ts';
import { Button } from '#client/ui/buttons/button.tsx';
import { LOCK } from '#client/ui/graphics/drawings.ts';
import { Prompt } from './prompt.tsx';

interface PasskeyPromptProps {
  userId: string;
  onDone: () => void;
}

/** Offers a passkey after a sign-in by password, unless the user has one. The user answers once on a device. */
export function PasskeyPrompt({ userId, onDone }: PasskeyPromptProps) {
  const [hasNone, setHasNone] = useState(false);
  const [isAdding, setAdding] = useState(false);
  const [problem, setProblem] = useState<string>();

  useEffect(() => {
    readPasskeys().then((known) => (known.length === 0 ? setHasNone(true) : onDone()), onDone);
  }, [onDone]);

  const answer = () => {
    closeOffer(userId);
    onDone();
  };
  const add = async () => {
    setAdding(true);
    setProblem(undefined);
    try {
      await addPasskey();
      toast('Your passkey is added.');
      answer();
    } catch (error) {
      setProblem(passkeyProblem(error, 'No passkey was made. You can try again.'));
      setAdding(false);
    }
  };

  if (!hasNone) return null;
  return (
    <Prompt
      icon={LOCK}
      title="Sign in without your password next time"
      text={problem ?? 'A passkey uses your fingerprint, face or screen lock. Find it later in Settings, Signed-in devices.'}
      actions={
        <>
          <Button variant="ghost" onClick={answer}>
            No, thanks
          </Button>
          <Button busy={isAdding} onClick={() => void add()}>
            Add a passkey
          </Button>
        </>
      }
    />
  );
}
