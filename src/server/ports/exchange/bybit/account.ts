import { SECOND } from '#domain/clock.ts';
import { type ExchangeAccount, ExchangeError, type ExchangePosition, type MarketTerms } from '../exchange.ts';
import { parseResult } from '../live/answers.ts';
import { applyChange } from '../live/errors.ts';
import { isOurs } from '../live/our-orders.ts';
import { hasNoSharedMargin, toPosition, wallets } from './answers.ts';
import { readFills } from './fills.ts';
import type { KeyCheck } from './key-check.ts';
import { MARKET } from './market.ts';
import { attached, findOrder, readOpenOrders, submitOrder } from './orders.ts';
import type { Connection } from './protocol.ts';
import { isIsolated, type PositionRows, prepareAccount, readPositions } from './settings.ts';

/** Codes for a stop and target that are already in place. */
const UNCHANGED = [34040];
/** Codes for an order that is unknown, filled or canceled. */
const GONE = [110001, 110008, 110010];
/** How long an answer about the position also tells what an entry depends on, ms. */
const FRESH = 5 * SECOND;

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

  /** The last answer about the position, which also has the leverage and the position mode. */
  let seen: { rows: PositionRows; at: number } | undefined;

  async function readRows(): Promise<PositionRows> {
    const rows = await readPositions(connection);
    seen = { rows, at: now() };
    return rows;
  }

  const position = async (): Promise<ExchangePosition | null> => toPosition(await readRows());

  async function readWallet() {
    const { result } = await read('privateGetV5AccountWalletBalance', { accountType: 'UNIFIED', coin: 'USDT' });
    const { list } = parseResult(wallets, result);
    const usdt = list.flatMap(({ coin }) => coin).find(({ coin }) => coin === 'USDT');
    return { equity: usdt?.equity ?? 0, hasNoSharedMargin: hasNoSharedMargin(list) };
  }

  /** Sends a command, after which the last answer about the position is no longer true. */
  async function change<T>(command: () => Promise<T>): Promise<T> {
    seen = undefined;
    return command();
  }

  return {
    check,
    prepare: (leverage) => change(() => prepareAccount(connection, leverage)),
    async standing() {
      const isFresh = seen !== undefined && Math.abs(now() - seen.at) <= FRESH;
      const [rows, wallet] = await Promise.all([isFresh && seen ? seen.rows : readRows(), readWallet()]);
      return {
        equity: wallet.equity,
        position: toPosition(rows),
        leverage: rows[0]?.leverage ?? 0,
        isIsolated: wallet.hasNoSharedMargin || (await isIsolated(connection)),
        isOneWay: rows.every(({ positionIdx }) => positionIdx === 0),
      };
    },

    submit: (order) => change(async () => submitOrder(connection, order, { now, terms: await terms() })),
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
      const [held, wallet, resting] = await Promise.all([position(), readWallet(), readOpenOrders(connection)]);
      return { equity: wallet.equity, position: held, openOrders: resting };
    },
  };
}
