import { history } from '#client/platform/router/history.ts';
import { Button } from '#client/ui/buttons/button.tsx';
import { Dialog } from '#client/ui/overlays/dialog.tsx';
import { closeUpgrade, useUpgradePrompt } from './upgrade-prompt.ts';

/** Told to whoever asks for more than their plan holds, to the letter (spec §2). What was asked stays. */
export function UpgradeDialog() {
  const open = useUpgradePrompt();
  const upgrade = () => {
    closeUpgrade();
    history.push('/pricing');
  };
  return (
    <Dialog
      open={open}
      onClose={closeUpgrade}
      title="Upgrade"
      actions={
        <>
          <Button variant="secondary" onClick={closeUpgrade}>
            Cancel
          </Button>
          <Button onClick={upgrade} data-autofocus>
            Upgrade
          </Button>
        </>
      }
    >
      <p>Upgrade to Premium for unlimited access to all features including Trading Bot</p>
    </Dialog>
  );
}
