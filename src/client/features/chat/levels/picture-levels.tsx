import type { ChartMarks } from '#contract/chat/chart-reading.ts';
import { useCoinNamedIn } from '../device-answer/use-coin-named-in.ts';
import { chipsOfPicture, LevelChips } from './level-chips.tsx';

interface PictureLevelsProps {
  marks: ChartMarks;
  /** The question about the picture. It can name the coin. */
  question: string;
}

/** Offers alerts at the levels of a picture whose axis was read. */
export function PictureLevels({ marks, question }: PictureLevelsProps) {
  const chips = chipsOfPicture(marks);
  const coin = useCoinNamedIn(chips.length > 0 ? question : '');
  return <LevelChips chips={chips} coin={coin} source="a chart picture" />;
}
