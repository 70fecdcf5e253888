import type { ComparedTradeAnswer } from '#contract/bots/bot-comparison.ts';
import type { AmountTexts } from '#domain/bots/bot-amounts.ts';
import type { DifferenceCause } from '#domain/bots/compare-trades.ts';

const NAMES: Record<DifferenceCause, string> = {
  entry: 'Entry price',
  delay: 'Late entry',
  exit: 'Exit price',
  fees: 'Fees and funding',
  size: 'Position size',
  paused: 'Paused',
  stopped: 'Stopped',
  error: 'Error or refused key',
  refused: 'Entry skipped or refused',
  offline: 'Exchange did not answer',
  held: 'Another position was open',
  missed: 'Signal missed',
  extra: 'Only the bot traded',
  open: 'Position still open',
};

/** Names a cause for users. A newer server may send one that is unknown here. */
export const causeName = (cause: string): string => (Object.hasOwn(NAMES, cause) ? NAMES[cause as DifferenceCause] : 'Other');

/** Explains the difference of one trade, such as `Entry price -$0.10, Exit price -$5.00`. */
export const whyOf = ({ text, parts }: Pick<ComparedTradeAnswer, 'text' | 'parts'>, { gain, sentence }: AmountTexts): string =>
  text === null ? parts.map(({ cause, amount }) => `${causeName(cause)} ${gain(amount)}`).join(', ') : sentence(text);
