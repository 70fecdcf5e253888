import { useState } from 'react';
import { readFigures } from '#client/features/alerts/coin-figures.ts';
import { AlertDialog } from '#client/features/alerts/form/alert-dialog.tsx';
import type { AlertRequest } from '#client/platform/alert-request.ts';
import { useUserLive } from '#client/platform/cache/use-live.ts';
import { toast } from '#client/platform/toast.ts';
import type { AlertCoin } from '#contract/alerts/alert-form.ts';
import { CoinPicker } from './coin-picker.tsx';

interface RequestProps {
  request: AlertRequest;
  onClose: () => void;
}

/** Asks for the coin if it is unknown, then shows the form for a new alert with what is known. */
export function AlertRequestDialog({ request, onClose }: RequestProps) {
  const [chosen, choose] = useState<AlertCoin>();
  const coin = request.coin ?? chosen;
  if (!coin) return <CoinPicker price={request.price} onChoose={choose} onClose={onClose} />;
  return <FilledForm key={coin.id} coin={coin} request={request} onClose={onClose} />;
}

/** Waits for the coin's figures on the device: they decide from which side the price comes. */
function FilledForm({ coin, request, onClose }: RequestProps & { coin: AlertCoin }) {
  const known = useUserLive(`alert-figures/${coin.id}`, (db) => readFigures(db, coin.id), {});
  if (!known) return null;
  const { price, level, side } = request;
  return <AlertDialog coin={coin} {...known} start={{ price, name: level, side }} onClose={onClose} onSaved={() => toast('Alert saved')} />;
}
