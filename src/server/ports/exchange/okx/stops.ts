import { randomBytes } from 'node:crypto';
import { stepText } from '#server/strategy/sizing.ts';
import { ExchangeError, type MarketTerms, type NewOrder } from '../exchange.ts';
import { parseResult } from '../live/answers.ts';
import { applyChange, hasCode } from '../live/errors.ts';
import { type AlgoRow, algos, idThere, isWhole, openRow, type PositionRow, positions } from './answers.ts';
import { MARGIN, MARKET } from './market.ts';
import type { Connection } from './protocol.ts';
import { GONE } from './trouble.ts';

/** Begins the ids of our stops. All others belong to the account's owner. */
const OURS = 'tidemark';
const ID_LENGTH = 32;

/** Codes for a change of an order that is unknown, canceled or triggered. */
const UNCHANGEABLE = [51503, 51509, 51510];

/** Returns the id of the stop attached to an order. */
const stopIdOf = (clientId: string): string => OURS + idThere(clientId).slice(OURS.length);
const newStopId = (): string => OURS + randomBytes((ID_LENGTH - OURS.length) / 2).toString('hex');
const isOurStop = ({ algoClOrdId }: AlgoRow): boolean => algoClOrdId.startsWith(OURS);

/** Parameters of a market stop by mark price, and of a market target. */
const levels = (terms: MarketTerms, stop: number | undefined, target: number | undefined) => ({
  ...(stop !== undefined && { slTriggerPx: stepText(stop, terms.price), slTriggerPxType: 'mark', slOrdPx: '-1' }),
  ...(target !== undefined && { tpTriggerPx: stepText(target, terms.price), tpTriggerPxType: 'last', tpOrdPx: '-1' }),
});

/** Parameters of the stop and target attached to an order; undefined without them. */
export const attachedTo = ({ clientId, stop, target }: NewOrder, terms: MarketTerms) =>
  stop === undefined && target === undefined ? undefined : { attachAlgoClOrdId: stopIdOf(clientId), ...levels(terms, stop, target) };

/** Reads the rows of open positions. */
export const readPositions = async ({ read }: Connection): Promise<PositionRow[]> =>
  parseResult(positions, (await read('privateGetAccountPositions', { instType: 'SWAP', ...MARKET })).result);

/** Reads the open stops and targets, including those of the account's owner. */
export const readStops = async ({ read }: Connection): Promise<AlgoRow[]> =>
  parseResult(algos, (await read('privateGetTradeOrdersAlgoPending', { ordType: 'conditional,oco', instType: 'SWAP', ...MARKET })).result);

async function cancelStops({ write }: Connection, rows: readonly AlgoRow[]): Promise<void> {
  for (const { algoId } of rows) await applyChange(write('privatePostTradeCancelAlgos', [{ ...MARKET, algoId }]), GONE);
}

/** Cancels our stops that a closed position left behind, except that of the order with the id `except`. */
export async function clearStops(connection: Connection, except?: string): Promise<void> {
  const rows = (await readStops(connection)).filter((row) => isOurStop(row) && (!except || row.algoClOrdId !== stopIdOf(except)));
  if (rows.length > 0 && !openRow(await readPositions(connection))) await cancelStops(connection, rows);
}

/** Sets the stop and target of the open position. The exchange keeps one order for a whole position, so a present one is changed. */
export async function protectPosition(connection: Connection, terms: MarketTerms, stop: number, target: number | null): Promise<void> {
  const [rows, resting] = await Promise.all([readPositions(connection), readStops(connection)]);
  const position = openRow(rows);
  if (!position) throw new ExchangeError('rejected', 'There is no position to protect.');
  const wanted = levels(terms, stop, target ?? undefined);
  const whole = resting.find((row) => Number(row.closeFraction) === 1);
  const isSet = (row: AlgoRow) =>
    isWhole(row, position) &&
    row.slTriggerPx === Number(wanted.slTriggerPx) &&
    row.tpTriggerPx === (wanted.tpTriggerPx === undefined ? 0 : Number(wanted.tpTriggerPx));
  const set = resting.find(isSet);
  if (!set) await (whole ? replaceStop(connection, position, whole, wanted) : placeStop(connection, position, wanted));
  // The stop attached to the entry may have arrived in the meantime.
  const left = set ? resting : await readStops(connection);
  const isOther = (row: AlgoRow) => isOurStop(row) && row.algoId !== set?.algoId && Number(row.closeFraction) !== 1;
  await cancelStops(connection, left.filter(isOther));
}

type Levels = ReturnType<typeof levels>;

async function placeStop({ write }: Connection, { pos, mgnMode }: PositionRow, wanted: Levels): Promise<void> {
  await write('privatePostTradeOrderAlgo', {
    ...MARKET,
    tdMode: mgnMode || MARGIN,
    algoClOrdId: newStopId(),
    side: pos > 0 ? 'sell' : 'buy',
    // A conditional order with both levels would keep only the stop.
    ordType: wanted.tpTriggerPx === undefined ? 'conditional' : 'oco',
    closeFraction: '1',
    reduceOnly: true,
    ...wanted,
  });
}

/** Changes the order of the whole position, or places another if it is gone. A refused change leaves it as it is. */
async function replaceStop(connection: Connection, position: PositionRow, present: AlgoRow, wanted: Levels): Promise<void> {
  const { slTriggerPx, tpTriggerPx } = wanted;
  // 0 removes a target.
  const removed = present.tpTriggerPx > 0 && { newTpTriggerPx: '0' };
  try {
    await connection.write('privatePostTradeAmendAlgos', {
      ...MARKET,
      algoId: present.algoId,
      ...(slTriggerPx !== undefined && { newSlTriggerPx: slTriggerPx, newSlTriggerPxType: 'mark', newSlOrdPx: '-1' }),
      ...(tpTriggerPx === undefined ? removed : { newTpTriggerPx: tpTriggerPx, newTpTriggerPxType: 'last', newTpOrdPx: '-1' }),
    });
  } catch (error) {
    if (!hasCode(error, ...UNCHANGEABLE)) throw error;
    await placeStop(connection, position, wanted);
  }
}
