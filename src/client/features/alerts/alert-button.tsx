import { useState } from 'react';
import { IconButton } from '#client/ui/buttons/button.tsx';
import type { CoinAlertsProps } from './coin-alerts.tsx';
import { figuresOf } from './coin-figures.ts';
import { AlertDialog } from './form/alert-dialog.tsx';

/** A button that opens the form for a new alert of a coin. */
export function AlertButton({ coin, quote }: CoinAlertsProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <IconButton label={`Set alert for ${coin.name}`} icon="bell" onClick={() => setOpen(true)} />
      {isOpen && <AlertDialog coin={coin} {...figuresOf(quote)} onClose={() => setOpen(false)} />}
    </>
  );
}
