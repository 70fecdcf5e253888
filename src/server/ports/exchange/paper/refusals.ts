import { REJECTS } from '#server/strategy/matching/codes.ts';
import { ExchangeError } from '../exchange.ts';

/** A no in the paper exchange's words, with Bybit's number. */
export const rejected = (message: string, code: number) => new ExchangeError('rejected', message, code);

/** What an order is refused with. */
export function refusal(code: number): ExchangeError {
  if (code === REJECTS.funds) return new ExchangeError('funds', 'There is not enough free margin for this order.', code);
  if (code === REJECTS.duplicate) return new ExchangeError('duplicate', 'An order of this id was sent before.', code);
  if (code === REJECTS.reduceOnly) return rejected('There is no position that this order would make smaller.', code);
  if (code === REJECTS.parameter) return rejected('A quantity or price of this order is not possible.', code);
  return rejected('The trigger lies on the wrong side of the price.', code);
}
