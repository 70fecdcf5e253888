import { ExchangeError } from '../exchange.ts';
import { parseResult } from '../live/answers.ts';
import { type Config, configs, leverages } from './answers.ts';
import { MARGIN, MARKET } from './market.ts';
import type { Connection } from './protocol.ts';

const MAX_LEVERAGE = 100;
/** OKX's number of the account mode with isolated margin. */
const FUTURES_MODE = '2';

export async function readConfig({ read }: Connection): Promise<Config> {
  const [config] = parseResult(configs, (await read('privateGetAccountConfig', {})).result);
  if (!config) throw new ExchangeError('unavailable', 'The exchange does not describe the account.');
  return config;
}

/** Reads the leverage of our margin mode; 0 without one. */
export async function readLeverage({ read }: Connection): Promise<number> {
  const rows = parseResult(leverages, (await read('privateGetAccountLeverageInfo', { ...MARKET, mgnMode: MARGIN })).result);
  return rows.find(({ mgnMode }) => mgnMode === MARGIN)?.lever ?? 0;
}

/** Sets one-way mode and the leverage. The margin mode goes with each order, and needs an account in futures mode. */
export async function prepareAccount(connection: Connection, leverage: number): Promise<void> {
  if (!Number.isInteger(leverage) || leverage < 1 || leverage > MAX_LEVERAGE)
    throw new ExchangeError('rejected', `Leverage is a whole number from 1 to ${MAX_LEVERAGE}.`);
  const { acctLv, posMode } = await readConfig(connection);
  if (acctLv !== FUTURES_MODE) throw new ExchangeError('rejected', 'Bots need an account in futures mode.');
  if (posMode !== 'net_mode') await connection.write('privatePostAccountSetPositionMode', { posMode: 'net_mode' });
  if ((await readLeverage(connection)) !== leverage)
    await connection.write('privatePostAccountSetLeverage', { ...MARKET, lever: String(leverage), mgnMode: MARGIN });
}
