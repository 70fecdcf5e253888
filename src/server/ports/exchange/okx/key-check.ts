import { ExchangeError, type KeyFacts } from '../exchange.ts';
import { parseResult } from '../live/answers.ts';
import { hasCode } from '../live/errors.ts';
import { readTakerFee } from '../live/taker-fee.ts';
import { toKeyFacts, tradeFees } from './answers.ts';
import { FAMILY } from './market.ts';
import type { Connection } from './protocol.ts';
import { readConfig } from './settings.ts';
import type { ContractTerms } from './terms.ts';

/** Code for a user who did not register through us. */
const NOT_INVITED = 51621;

interface Options {
  connection: Connection;
  /** The operator's connection, which knows who registered through us. */
  affiliate: Connection | undefined;
  terms: () => Promise<ContractTerms>;
}

/** Creates the check of a user's key. */
export const createKeyCheck =
  ({ connection, affiliate, terms }: Options) =>
  async (): Promise<KeyFacts> => {
    const config = await readConfig(connection);
    const referred = affiliate !== undefined && (await isInvited(affiliate, config.mainUid || config.uid));
    return toKeyFacts(config, { referred, takerFee: await readTakerFee(() => readFee(connection, terms)) });
  };

/** Reads the fee of the group that our contract belongs to. */
async function readFee({ read }: Connection, terms: Options['terms']): Promise<number | undefined> {
  const { result } = await read('privateGetAccountTradeFee', { instType: 'SWAP', instFamily: FAMILY });
  const [fees] = parseResult(tradeFees, result);
  const { feeGroup: ours } = await terms();
  const taker = fees?.feeGroup.find(({ groupId }) => groupId === ours)?.taker ?? fees?.takerU;
  return taker === undefined ? undefined : 0 - taker;
}

/** @param uid id of the main account, which also counts for its subaccounts. */
async function isInvited({ read }: Connection, uid: string): Promise<boolean> {
  try {
    await read('privateGetAffiliateInviteeDetail', { uid });
    return true;
  } catch (error) {
    if (hasCode(error, NOT_INVITED)) return false;
    // The operator's own key failed, which the user cannot fix.
    throw new ExchangeError('unavailable', "We couldn't verify your referral. Try again.");
  }
}
