import type { ExchangeTrouble } from '../exchange.ts';
import { createCodes } from '../live/errors.ts';

const WRONG_SIDE = ['rejected', 'The stop is on the wrong side of the price.'] as const;
const NO_MONEY = ['funds', 'There is not enough available money for this order.'] as const;

/** Meaning of OKX's codes, with a text for users. */
const MEANING: Record<number, readonly [ExchangeTrouble, string]> = {
  50007: ['permission', 'The exchange has blocked this account.'],
  50008: ['invalid-key', 'The exchange does not know the owner of this API key.'],
  50011: ['rate-limit', 'The exchange is limiting our requests.'],
  50027: ['permission', 'The exchange has banned this account from trading.'],
  50030: ['permission', 'The API key is not allowed to do that.'],
  50061: ['rate-limit', 'The exchange is limiting the orders of this account.'],
  50100: ['permission', 'The exchange has frozen this API key.'],
  50101: ['invalid-key', 'This API key is for real trading instead of demo trading, or the reverse.'],
  50102: ['clock', 'The clocks of this server and the exchange differ.'],
  50103: ['invalid-key', 'The API key is missing.'],
  50104: ['invalid-key', 'The passphrase of this API key is missing.'],
  50105: ['invalid-key', 'The passphrase does not belong to this API key.'],
  50110: ['address', 'The API key is limited to other network addresses.'],
  50111: ['invalid-key', 'The exchange does not accept this API key.'],
  50112: ['clock', 'The clocks of this server and the exchange differ.'],
  50113: ['invalid-key', 'The secret does not belong to this API key.'],
  50114: ['permission', 'The API key is not allowed to do that.'],
  50119: ['invalid-key', 'The exchange does not know this API key.'],
  50120: ['permission', 'The API key is not allowed to do that.'],
  51006: ['rejected', 'The price is too far from the market.'],
  51008: NO_MONEY,
  51010: ['rejected', 'Bots need an account in futures mode.'],
  51016: ['duplicate', 'An order with this id already exists.'],
  51023: ['rejected', 'There is no position that this order would reduce.'],
  51024: ['permission', 'The exchange has blocked this account.'],
  51047: WRONG_SIDE,
  51049: WRONG_SIDE,
  51119: NO_MONEY,
  51127: NO_MONEY,
  51131: NO_MONEY,
  51155: ['permission', 'The exchange does not offer this market in your country.'],
  51169: ['rejected', 'There is no position that this order would reduce.'],
  51174: ['rejected', 'There are too many open orders in the account.'],
  51278: WRONG_SIDE,
  51280: WRONG_SIDE,
  51502: NO_MONEY,
  59000: ['rejected', 'One-way mode cannot be set while a position or an order is open.'],
  59102: ['rejected', 'The risk limit does not allow this leverage.'],
  59108: ['funds', 'There is not enough money for this leverage.'],
};

/** Codes with which the exchange does not know the outcome itself. */
const UNSURE: readonly number[] = [50001, 50004, 50005, 50013, 50026, 51054, 51149];

/** Codes for an order that is unknown, filled, canceled or about to be. */
export const GONE: readonly number[] = [51400, 51401, 51402, 51405, 51410, 51603];

export const { troubleOf } = createCodes({ meaning: MEANING, unsure: UNSURE });
