import { ExchangeError, type KeyFacts } from '../exchange.ts';
import { customer, keyInformation, toKeyFacts, understood } from './answers.ts';
import type { Connection } from './connection.ts';
import { isGeneral } from './trouble.ts';

export type KeyCheck = () => Promise<KeyFacts>;

interface Options {
  connection: Connection;
  /** Our code, and the operator's connection that may ask about affiliates. */
  referral: { code?: string; affiliate?: Connection };
  /** ms. */
  now: () => number;
}

/** What Bybit says of the user's key, and whether its owner came through us. */
export function createKeyCheck({ connection, referral: { code, affiliate }, now }: Options): KeyCheck {
  /** Subaccounts belong to whom their main account belongs to. */
  async function isCustomer(uid: string): Promise<boolean> {
    if (!affiliate) return false;
    try {
      return understood(customer, (await affiliate.read('privateGetV5UserAffCustomerInfo', { uid })).result).uid === uid;
    } catch (error) {
      if (error instanceof ExchangeError && error.code !== undefined && !isGeneral(error.code)) return false;
      // What is wrong with the operator's own key is nothing that the user could mend.
      throw new ExchangeError('unavailable', 'It could not be asked who registered through us.');
    }
  }

  return async () => {
    const facts = understood(keyInformation, (await connection.read('privateGetV5UserQueryApi', {})).result);
    const { userID, parentUid, affiliateID, inviterID } = facts;
    const told = code !== undefined && [affiliateID, inviterID].includes(code);
    const main = ['', '0'].includes(parentUid) ? userID : parentUid;
    return toKeyFacts(facts, { referred: told || (await isCustomer(main)), now: now() });
  };
}
