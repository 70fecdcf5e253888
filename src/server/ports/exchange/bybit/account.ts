import { type ExchangeAccount, ExchangeError, type ExchangePosition, type MarketTerms } from '../exchange.ts';
import { isOurs, parseResult, toPosition, wallets } from './answers.ts';
import type { Connection } from './connection.ts';
import { readFills } from './fills.ts';
import type { KeyCheck } from './key-check.ts';
import { MARKET } from './market.ts';
import { attached, findOrder, readOpenOrders, submitOrder } from './orders.ts';
import { applyChange, isIsolated, prepareAccount, readPositions } from './settings.ts';

/** Codes for a stop and target that are already in place. */
const UNCHANGED = [34040];
/** Codes for an order that is unknown, filled or canceled. */
const GONE = [110001, 110008, 110010];

interface Parts {
  connection: Connection;
  check: KeyCheck;
  terms: () => Promise<MarketTerms>;
  /** The exchange's time, ms. */
  now: () => number;
}

/** Creates the account of one key at Bybit. It only ever touches orders with our own ids. */
export function createAccount({ connection, check, terms, now }: Parts): ExchangeAccount {
  const { read, write } = connection;

  const position = async (): Promise<ExchangePosition | null> => toPosition(await readPositions(connection));

  async function equity(): Promise<number> {
    const { result } = await read('privateGetV5AccountWalletBalance', { accountType: 'UNIFIED', coin: 'USDT' });
    const coins = parseResult(wallets, result).list.flatMap(({ coin }) => coin);
    return coins.find(({ coin }) => coin === 'USDT')?.equity ?? 0;
  }

  return {
    check,
    prepare: (leverage) => prepareAccount(connection, leverage),
    async standing() {
      const [rows, money, isolated] = await Promise.all([readPositions(connection), equity(), isIsolated(connection)]);
      const isOneWay = rows.every(({ positionIdx }) => positionIdx === 0);
      return { equity: money, position: toPosition(rows), leverage: rows[0]?.leverage ?? 0, isIsolated: isolated, isOneWay };
    },

    submit: async (order) => submitOrder(connection, order, { now, terms: await terms() }),
    find: (clientId) => findOrder(connection, clientId),
    fills: (since) => readFills(connection, since, now),

    async protect(stop, target) {
      await applyChange(
        write('privatePostV5PositionTradingStop', { ...MARKET, positionIdx: 0, ...attached(await terms(), stop, target ?? 0) }),
        UNCHANGED,
      );
    },

    async cancel(clientId) {
      if (!isOurs(clientId)) throw new ExchangeError('rejected', 'This order is not ours.');
      await applyChange(write('privatePostV5OrderCancel', { ...MARKET, orderLinkId: clientId }), GONE);
    },

    position,

    async snapshot() {
      const [held, money, resting] = await Promise.all([position(), equity(), readOpenOrders(connection)]);
      return { equity: money, position: held, openOrders: resting };
    },
  };
}
