import * as z from 'zod/mini';
import { ExchangeError, type MarketTerms } from '../exchange.ts';
import { parseResult, rowsOf, share, step, text, words } from '../live/answers.ts';
import { orderTiers } from '../live/risk-tiers.ts';
import { toBtc } from './answers.ts';
import { FAMILY, MARGIN, MARKET } from './market.ts';
import type { MarketConnections } from './protocol.ts';

/** The market's terms, the value of a contract in BTC, and the id of the group whose fees apply. */
export interface ContractTerms extends MarketTerms {
  contract: number;
  feeGroup: string;
}

const instruments = rowsOf(z.object({ instId: text, ctVal: step, ctMult: step, lotSz: step, minSz: step, tickSz: step, groupId: words }));
/** `maxSz` is in contracts. */
const tiers = rowsOf(z.object({ maxSz: step, mmr: share }), 1);

type Steps = Omit<ContractTerms, 'tiers'>;

/** Reads the steps of prices and quantities. */
export async function readSteps({ public: { read } }: MarketConnections): Promise<Steps> {
  const { result } = await read('publicGetPublicInstruments', { instType: 'SWAP', ...MARKET });
  const instrument = parseResult(instruments, result).find(({ instId }) => instId === MARKET.instId);
  if (!instrument) throw new ExchangeError('unavailable', 'The exchange does not list the market.');
  const { ctVal, ctMult, lotSz, minSz, tickSz, groupId: feeGroup } = instrument;
  const contract = ctVal * ctMult;
  return { contract, feeGroup, quantity: toBtc(lotSz, contract), least: toBtc(minSz, contract), price: tickSz };
}

/** Reads the risk tiers. */
export async function readTiers({ public: { read } }: MarketConnections, { contract }: Steps): Promise<ContractTerms['tiers']> {
  const { result } = await read('publicGetPublicPositionTiers', { instType: 'SWAP', tdMode: MARGIN, instFamily: FAMILY });
  return orderTiers(
    parseResult(tiers, result).map(({ maxSz, mmr }) => ({
      value: Number.POSITIVE_INFINITY,
      quantity: toBtc(maxSz, contract),
      maintenance: mmr,
    })),
  );
}
