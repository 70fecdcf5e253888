import { ExchangeError } from '../exchange.ts';
import { parseResult } from '../live/answers.ts';
import { applyChange, hasCode, noAnswer } from '../live/errors.ts';
import { accountInfo, positions } from './answers.ts';
import { MARKET } from './market.ts';
import type { Connection } from './protocol.ts';

const MAX_LEVERAGE = 100;
const ISOLATED = 'ISOLATED_MARGIN';
/** Codes for a setting that is already in place. */
const UNCHANGED = { leverage: [110043], mode: [110025], margin: [110026] };

/** Whether the account's margin mode is isolated. */
export async function isIsolated({ read }: Connection): Promise<boolean> {
  return parseResult(accountInfo, (await read('privateGetV5AccountInfo', {})).result).marginMode === ISOLATED;
}

/** Sets isolated margin, which applies to all markets of the account. After a refusal, Bybit's setting decides. */
async function isolate(connection: Connection): Promise<void> {
  if (await isIsolated(connection)) return;
  try {
    await applyChange(connection.write('privatePostV5AccountSetMarginMode', { setMarginMode: ISOLATED }), UNCHANGED.margin);
  } catch (error) {
    if (!hasCode(error, 3400045) || !(await isIsolated(connection))) throw error;
  }
}

export type PositionRows = Awaited<ReturnType<typeof readPositions>>;

/** Reads the rows of the position. Bybit has a row for a symbol without a position too, so an answer without rows is none. */
export async function readPositions({ read }: Connection) {
  const { list } = parseResult(positions, (await read('privateGetV5PositionList', MARKET)).result);
  if (list.length === 0) throw noAnswer(false, { how: 'its answer cannot be read' });
  return list;
}

/** Sets one-way mode. With an open position or order Bybit refuses even the mode that is already set. */
async function setOneWayMode(connection: Connection): Promise<void> {
  try {
    await applyChange(connection.write('privatePostV5PositionSwitchMode', { ...MARKET, mode: 0 }), UNCHANGED.mode);
  } catch (error) {
    if (!hasCode(error, 110024, 110028) || !(await readPositions(connection)).every(({ positionIdx }) => positionIdx === 0)) throw error;
  }
}

/** Sets isolated margin, one-way mode and the leverage. */
export async function prepareAccount(connection: Connection, leverage: number): Promise<void> {
  if (!Number.isInteger(leverage) || leverage < 1 || leverage > MAX_LEVERAGE)
    throw new ExchangeError('rejected', `Leverage is a whole number from 1 to ${MAX_LEVERAGE}.`);
  await isolate(connection);
  await setOneWayMode(connection);
  const both = { buyLeverage: String(leverage), sellLeverage: String(leverage) };
  await applyChange(connection.write('privatePostV5PositionSetLeverage', { ...MARKET, ...both }), UNCHANGED.leverage);
}
