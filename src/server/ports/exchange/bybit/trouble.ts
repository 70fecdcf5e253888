import type { ExchangeTrouble } from '../exchange.ts';
import { createCodes } from '../live/errors.ts';

/** Meaning of Bybit's codes, with a text for users. */
const MEANING: Record<number, readonly [ExchangeTrouble, string]> = {
  // The request reached the exchange too late, so nothing happened.
  [-1]: ['clock', 'The request expired before the exchange read it.'],
  429: ['rate-limit', 'The exchange is under high load.'],
  10002: ['clock', 'The clocks of this server and the exchange differ.'],
  10003: ['invalid-key', 'The exchange does not know this API key.'],
  10004: ['invalid-key', 'The secret does not belong to this API key.'],
  10005: ['permission', 'The API key is not allowed to do that.'],
  10006: ['rate-limit', 'The exchange is limiting our requests.'],
  10007: ['invalid-key', 'The exchange does not accept this API key.'],
  10008: ['permission', 'The exchange has blocked this account.'],
  10009: ['unavailable', 'The exchange does not serve this region.'],
  10010: ['address', 'The API key is limited to other network addresses.'],
  10014: ['duplicate', 'The exchange already has this request.'],
  10018: ['rate-limit', 'The exchange is limiting requests from our network address.'],
  10024: ['permission', 'The exchange does not offer this to this account.'],
  10027: ['permission', 'The exchange has banned this account from trading.'],
  10017: ['unavailable', 'The exchange does not know this request.'],
  10028: ['rejected', 'Bots need a unified trading account.'],
  10032: ['rejected', 'The exchange does not offer this to demo accounts.'],
  10429: ['rate-limit', 'The exchange is overloaded and is limiting our requests.'],
  33004: ['invalid-key', 'The API key has expired.'],
  110003: ['rejected', 'The price is too far from the market.'],
  110004: ['funds', 'There is not enough money for this order.'],
  110006: ['funds', 'There is not enough money for this position.'],
  110007: ['funds', 'There is not enough available money for this order.'],
  110009: ['rejected', 'There are too many stop orders in the account.'],
  110012: ['funds', 'There is not enough available money.'],
  110013: ['rejected', 'The risk limit does not allow this leverage.'],
  110014: ['funds', 'There is not enough money for margin.'],
  110017: ['rejected', 'There is no position that this order would reduce.'],
  110020: ['rejected', 'There are too many open orders in the account.'],
  110024: ['rejected', 'One-way mode cannot be set while a position or an order is open.'],
  110028: ['rejected', 'One-way mode cannot be set while a position or an order is open.'],
  110044: ['funds', 'There is not enough available margin.'],
  110045: ['funds', 'There is not enough money in the wallet.'],
  110047: ['funds', 'The risk limit does not allow this position.'],
  110051: ['funds', 'There is not enough available money for this order.'],
  110052: ['funds', 'There is not enough available money for this price.'],
  110053: ['funds', 'There is not enough available money at this loss.'],
  110072: ['duplicate', 'An order with this id already exists.'],
  110079: ['unavailable', 'The exchange is still processing this order.'],
  110092: ['rejected', 'The stop is on the wrong side of the price.'],
  110093: ['rejected', 'The stop is on the wrong side of the price.'],
  3400045: ['rejected', 'Isolated margin cannot be set for this account.'],
};

/** Codes with which the exchange does not know the outcome itself. */
const UNSURE: readonly number[] = [10000, 10016, 10019, 170007, 340099, 3400214];

export const { troubleOf, isGeneral } = createCodes({ meaning: MEANING, unsure: UNSURE });
