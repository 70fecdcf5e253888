import { useEffect, useState } from 'react';
import { currentDb } from '#client/platform/session/current-db.ts';
import { useClaims } from '#client/platform/session/use-session.ts';
import { Select } from '#client/ui/fields/select.tsx';
import { formatSymbol } from '#domain/format/format-number.ts';
import { fold } from '#domain/text.ts';

/** A coin with a chart. */
export interface ChartedCoin {
  id: number;
  name: string;
  symbol: string;
}

const BITCOIN: ChartedCoin = { id: 1, name: 'Bitcoin', symbol: 'BTC' };
/** Coins that are offered: those of the first list. */
const MAX_OFFERED = 100;

interface ComparedCoinProps {
  coin: ChartedCoin;
  value: ChartedCoin | undefined;
  onChange: (coin: ChartedCoin | undefined) => void;
}

/** Chooses the coin to compare with: Bitcoin, or another coin on this device. */
export function ComparedCoin({ coin, value, onChange }: ComparedCoinProps) {
  const others = useTopCoins().filter(({ id }) => id !== coin.id);
  const options = [
    { value: 0, label: 'Compare' },
    ...others.map(({ id, name, symbol }) => ({ value: id, label: `${name} (${formatSymbol(symbol)})` })),
  ];
  return (
    <Select
      compact
      label="Compare with"
      value={value?.id ?? 0}
      options={options}
      onChange={(id) => onChange(others.find((each) => each.id === id))}
      search={(label, query) => fold(label).includes(fold(query))}
    />
  );
}

/** Returns the first coins on this device, by rank, Bitcoin first. */
function useTopCoins(): readonly ChartedCoin[] {
  const userId = useClaims().sub;
  const [coins, setCoins] = useState<readonly ChartedCoin[]>([BITCOIN]);
  useEffect(() => {
    let gone = false;
    async function read() {
      const stored = await (await currentDb(userId)).coins.toArray();
      const ranked = stored.filter(({ rank, id }) => rank !== null && id !== BITCOIN.id);
      const top = ranked.sort((a, b) => (a.rank ?? 0) - (b.rank ?? 0)).slice(0, MAX_OFFERED);
      if (!gone) setCoins([BITCOIN, ...top.map(({ id, name, symbol }) => ({ id, name, symbol }))]);
    }
    read().catch(() => undefined); // signed out meanwhile, or the device refuses: Bitcoin stays
    return () => {
      gone = true;
    };
  }, [userId]);
  return coins;
}
