import { history } from '#client/platform/router/history.ts';
import { Button } from '#client/ui/buttons/button.tsx';
import { Dialog } from '#client/ui/overlays/dialog.tsx';
import { closeUpgrade, useUpgradePrompt } from './upgrade-prompt.ts';

/** Shown when a question exceeds the plan. The question stays in the composer or the queue. */
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
