import { useMemo } from 'react';
import { useUserLive } from '#client/platform/cache/use-live.ts';
import { findNamedLevels } from '#domain/alerts/named-levels.ts';
import { chipsOfAnswer, LevelChips } from './level-chips.tsx';

interface AnswerLevelsProps {
  text: string;
  /** Ids of the coins that the answer names. */
  coins: readonly number[];
}

/** Offers alerts at the levels that an answer about one coin names. With several coins, a level could belong to any. */
export function AnswerLevels({ text, coins }: AnswerLevelsProps) {
  const [id, ...others] = coins;
  const chips = useMemo(() => (others.length > 0 ? [] : chipsOfAnswer(findNamedLevels(text))), [text, others.length]);
  const coin = useUserLive(id !== undefined && chips.length > 0 ? `level-coin/${id}` : null, (db) => db.coins.get(id ?? 0));
  return coin ? <LevelChips chips={chips} coin={{ id: coin.id, name: coin.name, symbol: coin.symbol }} source="the analyst" /> : null;
}
