import { ExchangeError, type KeyFacts } from '../exchange.ts';
import { customer, keyInformation, parseResult, toKeyFacts } from './answers.ts';
import type { Connection } from './connection.ts';
import { isGeneral } from './trouble.ts';

export type KeyCheck = () => Promise<KeyFacts>;

interface Options {
  connection: Connection;
  /** Our referral code, and the operator's connection that can look up affiliates. */
  referral: { code?: string; affiliate?: Connection };
  /** ms. */
  now: () => number;
}

/** Creates the check of a user's key, which includes whether its owner registered through our referral. */
export function createKeyCheck({ connection, referral: { code, affiliate }, now }: Options): KeyCheck {
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

  return async () => {
    const facts = parseResult(keyInformation, (await connection.read('privateGetV5UserQueryApi', {})).result);
    const { userID, parentUid, affiliateID, inviterID } = facts;
    const hasOurCode = code !== undefined && [affiliateID, inviterID].includes(code);
    const main = ['', '0'].includes(parentUid) ? userID : parentUid;
    return toKeyFacts(facts, { referred: hasOurCode || (await isCustomer(main)), now: now() });
  };
}
