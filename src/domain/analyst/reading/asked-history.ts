import type { Kind } from '../query.ts';

/** Subjects that daily candles answer. Texts are folded. */

const EXTREMES =
  /\b(ath|atl|all[- ]time (high|low)s?|(\d+[- ](day|week|month)|weekly|monthly|yearly|annual) (highs?|lows?)|(highest|lowest) (price )?.*\b(ever|in|over|of|during|this|last|past|since)\b|high and (the )?low|highs and lows|price range|peak price|ever (hit|reach\w*|go|gone|been|get|got|trade\w*)|(high|low) (this|last|in|over|of|for) (the )?(year|month|week|quarter|past|last)|(its|the) (peak|bottom))\b/;
const RISK = /\b(volatil\w+|max(imum)? drawdowns?|drawdowns?|how (risky|stable|wild)|swings?|biggest (fall|drop|crash) (of|in|for))\b/;
const CORRELATION = /\b(correlat\w+|moves? (together|alike|with))\b/;
const BOUGHT =
  /\b(bought(?! and sold)|invested|purchased|my (entry|buy(ing)? price|cost basis|average)|got in(to)? (at|on)|put \$? ?\d[\d,.]*|paid \$? ?\d[\d,.]*k? for|in profit|what would \$ ?\d\S* (in|of) .*\b(ago|on|since|in)\b.*\bbe worth)\b/;
const DECIDES = /\bshould (i|we)\b|\bwill\b/;

/** Finds such a subject. `hasCoins`: the question names a coin; without one, the words of a follow-up must be plain. */
export function askedHistory(folded: string, hasCoins: boolean): Kind | undefined {
  if (BOUGHT.test(folded) && !DECIDES.test(folded)) return 'profit';
  if (CORRELATION.test(folded)) return 'correlation';
  if (hasCoins && RISK.test(folded)) return 'risk';
  if (hasCoins && EXTREMES.test(folded)) return 'extremes';
  if (/\b(it|its|it's|that|they|them|their)\b|\bwhich (one )?(is|was) (the )?(more|less|most|least)\b/.test(folded)) {
    if (RISK.test(folded)) return 'risk';
    if (EXTREMES.test(folded)) return 'extremes';
  }
  return undefined;
}
