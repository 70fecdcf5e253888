import { useEffect, useState } from 'react';
import { useLive } from '#client/platform/cache/use-live.ts';
import { userDb } from '#client/platform/db/user-db.ts';
import { useClaims } from '#client/platform/session/use-session.ts';
import { useDebounced } from '#client/ui/hooks/use-debounced.ts';
import type { AlertCoin } from '#contract/alerts/alert-form.ts';
import type { ChartMarks } from '#contract/chat/chart-reading.ts';
import { loadDeviceAnswers } from '../device-answer/use-device-answers.ts';
import { chipsOfPicture, LevelChips } from './level-chips.tsx';

interface PictureLevelsProps {
  marks: ChartMarks;
  /** The question about the picture. It can name the coin. */
  question: string;
}

/** Offers alerts at the levels of a picture whose axis was read. */
export function PictureLevels({ marks, question }: PictureLevelsProps) {
  const chips = chipsOfPicture(marks);
  const coin = useCoinIn(chips.length > 0 ? question : '');
  return <LevelChips chips={chips} coin={coin} source="a chart picture" />;
}

/** Returns the only coin that a text names. */
function useCoinIn(text: string): AlertCoin | undefined {
  const db = userDb(useClaims().sub);
  const settled = useDebounced(text);
  // On a first visit, the coins come after the text.
  const known = useLive(`${db.name}/coins`, () => db.coins.count());
  const [found, setFound] = useState<{ text: string; coin: AlertCoin | undefined }>();
  useEffect(() => {
    if (settled.trim() === '' || known === undefined) return;
    let isOver = false;
    const find = async () => (await loadDeviceAnswers()).coinNamedIn(db, settled);
    find().then(
      (coin) => isOver || setFound({ text: settled, coin }),
      () => undefined, // the form asks for the coin
    );
    return () => {
      isOver = true;
    };
  }, [db, settled, known]);
  // An edited text may name another coin.
  return found?.text === text ? found.coin : undefined;
}
