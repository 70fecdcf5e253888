import { REJECTS } from '#server/strategy/matching/codes.ts';
import { ExchangeError } from '../exchange.ts';

/** Returns a rejection with Bybit's code. */
export const rejected = (message: string, code: number) => new ExchangeError('rejected', message, code);

/** Returns the error of a refused order. */
export function refusal(code: number): ExchangeError {
  if (code === REJECTS.funds) return new ExchangeError('funds', 'There is not enough available margin for this order.', code);
  if (code === REJECTS.duplicate) return new ExchangeError('duplicate', 'An order with this id already exists.', code);
  if (code === REJECTS.reduceOnly) return rejected('There is no position that this order would reduce.', code);
  if (code === REJECTS.parameter) return rejected("This order's quantity or price is not valid.", code);
  return rejected('The trigger is on the wrong side of the price.', code);
}
