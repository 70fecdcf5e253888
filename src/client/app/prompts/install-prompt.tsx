import { useEffect } from 'react';
import { installOffer, useInstallOffer } from '#client/platform/pwa/install-offer.ts';
import { Button } from '#client/ui/buttons/button.tsx';
import { PRODUCT } from '#domain/product.ts';
import { Prompt } from './prompt.tsx';

interface InstallPromptProps {
  /** Called once the offer is on the screen. It is made once per device. */
  onShown: () => void;
  onDone: () => void;
}

/** Offers to install the app: through the browser's own dialog, or with instructions where there is none. */
export function InstallPrompt({ onShown, onDone }: InstallPromptProps) {
  const offer = useInstallOffer();
  useEffect(onShown, [onShown]);
  const install = async () => {
    installOffer.set(undefined); // the event works once
    onDone();
    await offer?.prompt();
  };
  return (
    <Prompt
      icon="home"
      title={offer ? `Install ${PRODUCT}` : `Put ${PRODUCT} on your home screen`}
      text={
        offer
          ? 'It opens like any app, and what you have read is there without a connection.'
          : 'Open the Share menu of your browser and choose Add to Home Screen. What you have read is there without a connection.'
      }
      actions={
        offer ? (
          <>
            <Button variant="ghost" onClick={onDone}>
              No, thanks
            </Button>
            <Button onClick={() => void install()}>Install</Button>
          </>
        ) : (
          <Button onClick={onDone}>Got it</Button>
        )
      }
    />
  );
}
