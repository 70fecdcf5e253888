import type { Purchase } from '../query.ts';
import { amountOf } from './asked-figures.ts';

const AMOUNT = String.raw`(\d{1,15}(?:,\d{3})*(?:\.\d{1,12})?)\s*(k|m)?`;
const AT = new RegExp(
  String.raw`(?:\bat|@|\bprice (?:of|was|is)|\b(?:entry|basis|average)(?: (?:price|cost))?(?: (?:on|in|for|of) \S{2,20})? (?:of|was|is|at)) ?\$? ?${AMOUNT}\b(?! ?(?:am|pm|%|x\b))`,
);
const SPENT = new RegExp(
  String.raw`\b(?:invested|put|spent|for|of|bought) \$ ?${AMOUNT}\b|\b(?:invested|put|spent|bought|for) ${AMOUNT} ?(?:usd|dollars?|bucks)\b|\$ ?${AMOUNT} (?:of|in|into|worth)\b|\bpaid \$? ?${AMOUNT} for\b`,
);
const IS_NO_PRICE = /^[- ]?(%|days?|weeks?|months?|years?|d|w|y)\b/;

/** Finds the price and the money of a purchase in a folded question: "at $1,500", "for $3000", "invested 500 usd". */
export function askedPurchase(folded: string): Purchase {
  const at = AT.exec(folded);
  const spent = SPENT.exec(folded.replace(at?.[0] ?? '', ' '));
  const price = at && !IS_NO_PRICE.test(folded.slice(at.index + at[0].length)) ? at : undefined;
  return {
    ...(price && { at: amountOf(price[1] ?? '0', price[2]) }),
    ...(spent && { spent: amountOf(spent[1] ?? spent[3] ?? spent[5] ?? spent[7] ?? '0', spent[2] ?? spent[4] ?? spent[6] ?? spent[8]) }),
  };
}
