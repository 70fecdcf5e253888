import { history } from '../../platform/router/history';
import { Button } from '../../ui/button';
import { Dialog } from '../../ui/dialog';
import { closeUpgrade, useUpgradePrompt } from './upgrade-prompt';

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
