import { useEffect, useState } from 'react';
import { readPushState, usePushState } from '#client/features/push/push.ts';
import { tryPush } from '#client/features/push/turn-on.ts';
import { toast } from '#client/platform/toast.ts';
import { Button } from '#client/ui/buttons/button.tsx';
import { Prompt } from './prompt.tsx';

/** Explains notifications before the browser asks. `onDone` ends the offer on this device. */
export function PushPrompt({ onDone }: { onDone: () => void }) {
  const state = usePushState();
  const [isBusy, setBusy] = useState(false);
  useEffect(() => void readPushState().catch(() => undefined), []);
  if (state !== 'off') return null;
  const turnOn = async () => {
    setBusy(true);
    const failure = await tryPush();
    if (failure) toast(failure);
    onDone();
  };
  return (
    <Prompt
      icon="bell"
      title="Hear of it when the app is closed"
      text="This device can tell you when an alert fires, a bot needs you or someone signs in. You can turn it off in the settings."
      actions={
        <>
          <Button variant="ghost" onClick={onDone}>
            Not now
          </Button>
          <Button busy={isBusy} onClick={() => void turnOn()}>
            Turn on
          </Button>
        </>
      }
    />
  );
}
