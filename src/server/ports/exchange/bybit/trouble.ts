import { ExchangeError, type ExchangeTrouble } from '../exchange.ts';

/** What Bybit's codes come to here, and in words. A code without a row is a refusal of a write, and of a question a failure. */
const MEANING: Record<number, readonly [ExchangeTrouble, string]> = {
  10002: ['clock', "Our clock and the exchange's disagree."],
  10003: ['invalid-key', 'The exchange does not know this API key.'],
  10004: ['invalid-key', 'The secret does not belong to this API key.'],
  10005: ['permission', 'The API key is not allowed to do that.'],
  10006: ['rate-limit', 'The exchange wants fewer questions.'],
  10007: ['invalid-key', 'The exchange does not accept this API key.'],
  10008: ['permission', 'The exchange has barred this account.'],
  10009: ['unavailable', 'The exchange does not answer our network address.'],
  10010: ['address', 'The API key is bound to other network addresses.'],
  10014: ['duplicate', 'The exchange has had this request before.'],
  10018: ['rate-limit', 'The exchange wants fewer questions from our network address.'],
  10024: ['permission', 'The exchange does not offer this to the account.'],
  10027: ['permission', 'The exchange lets this account trade no more.'],
  10028: ['rejected', 'Only a unified trading account will do.'],
  10429: ['rate-limit', 'The exchange is overloaded and wants fewer questions.'],
  33004: ['invalid-key', 'The API key has ended.'],
  110003: ['rejected', 'The price is too far from the market.'],
  110004: ['funds', 'There is not enough money for this order.'],
  110006: ['funds', 'There is not enough money for this position.'],
  110007: ['funds', 'There is not enough free money for this order.'],
  110009: ['rejected', 'There are too many stop orders in the account.'],
  110012: ['funds', 'There is not enough free money.'],
  110013: ['rejected', 'The leverage is not possible at this risk limit.'],
  110014: ['funds', 'There is not enough money for margin.'],
  110017: ['rejected', 'There is no position that this order would make smaller.'],
  110020: ['rejected', 'There are too many open orders in the account.'],
  110024: ['rejected', 'One-way mode can not be set while something is held or rests.'],
  110028: ['rejected', 'One-way mode can not be set while something is held or rests.'],
  110044: ['funds', 'There is not enough free margin.'],
  110045: ['funds', 'There is not enough money in the wallet.'],
  110047: ['funds', 'The risk limit does not allow this position.'],
  110051: ['funds', 'There is not enough free money for this order.'],
  110052: ['funds', 'There is not enough free money for this price.'],
  110053: ['funds', 'There is not enough free money at this loss.'],
  110072: ['duplicate', 'An order of this id was sent before.'],
  110079: ['unavailable', 'The exchange is still busy with this order.'],
  110092: ['rejected', 'The stop lies on the wrong side of the price.'],
  110093: ['rejected', 'The stop lies on the wrong side of the price.'],
  3400045: ['rejected', 'Isolated margin can not be set for this account.'],
};

/** The exchange could not say itself whether it was done. */
const UNSURE: readonly number[] = [10000, 10016, 10019, 170007, 340099];

/** Write: it may have changed something, so no answer leaves it unclear. */
export function troubleOf(code: number, write: boolean): ExchangeError {
  if (UNSURE.includes(code)) return noAnswer(write, { how: `it does not know itself (code ${code})`, code });
  const [trouble, words] = MEANING[code] ?? [write ? 'rejected' : 'unavailable', 'The exchange said no.'];
  return new ExchangeError(trouble, `${words} (code ${code})`, code);
}

/** `how` there was none, for people. */
export const noAnswer = (write: boolean, { how, code }: { how?: string; code?: number } = {}): ExchangeError => {
  const end = how === undefined ? '.' : `: ${how}.`;
  return write
    ? new ExchangeError('unclear', `The exchange did not say whether it did this${end}`, code)
    : new ExchangeError('unavailable', `The exchange could not be reached${end}`, code);
};

/** A code that says what is wrong with the key, the account or the exchange, and not what was asked about. */
export const isGeneral = (code: number): boolean => code in MEANING || UNSURE.includes(code);

export const hasCode = (error: unknown, ...codes: number[]): boolean =>
  error instanceof ExchangeError && error.code !== undefined && codes.includes(error.code);
