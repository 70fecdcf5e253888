import { ExchangeError, type KeyFacts } from '../exchange.ts';
import { parseResult } from '../live/answers.ts';
import { hasCode } from '../live/errors.ts';
import { readTakerFee } from '../live/taker-fee.ts';
import { customer, feeRates, keyInformation, toKeyFacts } from './answers.ts';
import { MARKET } from './market.ts';
import type { Connection } from './protocol.ts';
import { readPositions } from './settings.ts';
import { isGeneral } from './trouble.ts';

export type KeyCheck = () => Promise<KeyFacts>;

/** Codes of calls that the demo service lacks. */
const NOT_FOR_DEMO = [10017, 10032];

interface Options {
  connection: Connection;
  /** The key of a demo account, where no real money is; undefined otherwise. */
  demoKey: string | undefined;
  /** Our referral code, and the operator's connection that can look up affiliates. */
  referral: { code?: string; affiliate?: Connection };
  /** ms. */
  now: () => number;
}

/** Creates the check of a user's key, which includes whether its owner registered through our referral. */
export function createKeyCheck({ connection, demoKey, referral: { code, affiliate }, now }: Options): KeyCheck {
  /** @param uid id of the main account, which also counts for its subaccounts. */
  async function isCustomer(uid: string): Promise<boolean> {
    if (!affiliate) return false;
    try {
      return parseResult(customer, (await affiliate.read('privateGetV5UserAffCustomerInfo', { uid })).result).uid === uid;
    } catch (error) {
      if (error instanceof ExchangeError && error.code !== undefined && !isGeneral(error.code)) return false;
      // The operator's own key failed, which the user cannot fix.
      throw new ExchangeError('unavailable', "We couldn't verify your referral. Try again.");
    }
  }

  /** Returns what Bybit tells about the key; undefined for a demo account, which may not ask. */
  async function readKey() {
    try {
      return parseResult(keyInformation, (await connection.read('privateGetV5UserQueryApi', {})).result);
    } catch (error) {
      if (demoKey === undefined || !hasCode(error, ...NOT_FOR_DEMO)) throw error;
      return undefined;
    }
  }

  const readFee = () =>
    readTakerFee(async () => {
      const { list } = parseResult(feeRates, (await connection.read('privateGetV5AccountFeeRate', MARKET)).result);
      return list.find(({ symbol }) => symbol === MARKET.symbol)?.takerFeeRate;
    });

  return async () => {
    const facts = await readKey();
    if (!facts) {
      // A demo account has this call, so that it refuses a wrong key.
      await readPositions(connection);
      const unknown = { mayTrade: true, mayWithdraw: false, referred: true, expiresAt: null, restricted: false, takerFee: await readFee() };
      return { ...unknown, accountId: `demo:${demoKey}` };
    }
    const { userID, parentUid, affiliateID, inviterID } = facts;
    const hasOurCode = code !== undefined && [affiliateID, inviterID].includes(code);
    const main = ['', '0'].includes(parentUid) ? userID : parentUid;
    return toKeyFacts(facts, { referred: hasOurCode || (await isCustomer(main)), takerFee: await readFee(), now: now() });
  };
}
