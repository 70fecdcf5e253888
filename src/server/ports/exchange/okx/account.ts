import { type ExchangeAccount, ExchangeError } from '../exchange.ts';
import { parseResult } from '../live/answers.ts';
import { applyChange } from '../live/errors.ts';
import { isOurs } from '../live/our-orders.ts';
import { balances, idThere, toPosition } from './answers.ts';
import { type Causes, readFills } from './fills.ts';
import { MARGIN, MARKET } from './market.ts';
import { findOrder, readOpenOrders, submitOrder } from './orders.ts';
import type { Connection } from './protocol.ts';
import { prepareAccount, readConfig, readLeverage } from './settings.ts';
import { protectPosition, readPositions, readStops } from './stops.ts';
import type { ContractTerms } from './terms.ts';
import { GONE } from './trouble.ts';

interface Parts {
  connection: Connection;
  check: ExchangeAccount['check'];
  terms: () => Promise<ContractTerms>;
  causes: Causes;
  /** The exchange's time, ms. */
  now: () => number;
}

/** Creates the account of one key at OKX. It only ever touches orders with our own ids, and the stop of a whole position. */
export function createAccount({ connection, check, terms, causes, now }: Parts): ExchangeAccount {
  const { read, write } = connection;

  async function holding() {
    const [rows, stops, { contract }] = await Promise.all([readPositions(connection), readStops(connection), terms()]);
    return { rows, position: toPosition(rows, stops, contract) };
  }

  async function equity(): Promise<number> {
    const rows = parseResult(balances, (await read('privateGetAccountBalance', { ccy: 'USDT' })).result);
    return rows.flatMap(({ details }) => details).find(({ ccy }) => ccy === 'USDT')?.eq ?? 0;
  }

  return {
    check,
    prepare: (leverage) => prepareAccount(connection, leverage),
    async standing() {
      const [{ rows, position }, money, config, leverage] = await Promise.all([
        holding(),
        equity(),
        readConfig(connection),
        readLeverage(connection),
      ]);
      const isIsolated = rows.every(({ pos, mgnMode }) => pos === 0 || mgnMode === MARGIN);
      return { equity: money, position, leverage, isIsolated, isOneWay: config.posMode === 'net_mode' };
    },

    submit: async (order) => submitOrder(connection, order, await terms(), now()),
    find: async (clientId) => findOrder(connection, clientId, await terms()),
    fills: async (since) => readFills(connection, since, { terms: await terms(), causes, now: now() }),
    protect: async (stop, target) => protectPosition(connection, await terms(), stop, target),

    async cancel(clientId) {
      if (!isOurs(clientId)) throw new ExchangeError('rejected', 'This order is not ours.');
      await applyChange(write('privatePostTradeCancelOrder', { ...MARKET, clOrdId: idThere(clientId) }), GONE);
    },

    position: async () => (await holding()).position,

    async snapshot() {
      const [{ position }, money, openOrders] = await Promise.all([
        holding(),
        equity(),
        terms().then((known) => readOpenOrders(connection, known)),
      ]);
      return { equity: money, position, openOrders };
    },
  };
}
