import type { Indicator } from '#contract/market/indicator.ts';
import { formatUsd } from '#domain/format/format-number.ts';

const SETUPS = { bounce: 'a bounce off a level', retest: 'the retest of a broken level' } as const;

/** Describes the signal of the last closed candle in one sentence. */
export function signalMessage({ action, setup, stop, target }: Indicator['signal']): string {
  if (action === 'wait') return 'No entry right now.';
  const why = setup ? ` on ${SETUPS[setup]}` : '';
  const exits = [stop !== null && `stop ${formatUsd(stop)}`, target !== null && `target ${formatUsd(target)}`].filter(Boolean).join(', ');
  return `It would go ${action}${why}${exits && `: ${exits}`}.`;
}
