import { DAY } from '#domain/clock.ts';
import { type ExchangeAccount, ExchangeError, type ExchangeOrder, type ExchangePosition, type NewOrder } from '../exchange.ts';
import {
  accountInfo,
  created,
  executions,
  isOurs,
  orders,
  parseResult,
  positions,
  toFills,
  toOrder,
  toPosition,
  wallets,
} from './answers.ts';
import type { Connection } from './connection.ts';
import type { KeyCheck } from './key-check.ts';
import { MARKET } from './market.ts';
import { hasCode } from './trouble.ts';

const MAX_LEVERAGE = 100;
/** Longest range of executions in one request, and how far back Bybit keeps them, ms. */
const WINDOW = 7 * DAY;
const MEMORY = 730 * DAY;
/** Rows in a page, and pages in one answer. */
const PAGE = { executions: 100, orders: 50 };
const MAX_PAGES = 50;

const ISOLATED = 'ISOLATED_MARGIN';
/** Codes for a setting that is already in place. */
const UNCHANGED = { leverage: [110043], mode: [110025], margin: [110026], stop: [34040] };
/** Codes for an order that is unknown, filled or canceled. */
const GONE = [110001, 110008, 110010];

interface Parts {
  connection: Connection;
  check: KeyCheck;
  /** The exchange's time, ms. */
  now: () => number;
}

/** Creates the account of one key at Bybit. It only ever touches orders with our own ids. */
export function createAccount({ connection, check, now }: Parts): ExchangeAccount {
  const { read, write } = connection;

  /** Waits for a change, and accepts that it was already in place. */
  async function apply(what: Promise<unknown>, unchanged: readonly number[]): Promise<void> {
    await what.catch((error: unknown) => {
      if (!hasCode(error, ...unchanged)) throw error;
    });
  }

  async function isIsolated(): Promise<boolean> {
    return parseResult(accountInfo, (await read('privateGetV5AccountInfo', {})).result).marginMode === ISOLATED;
  }

  /** Sets isolated margin, which applies to all markets of the account. After a refusal, Bybit's setting decides. */
  async function isolate(): Promise<void> {
    if (await isIsolated()) return;
    try {
      await apply(write('privatePostV5AccountSetMarginMode', { setMarginMode: ISOLATED }), UNCHANGED.margin);
    } catch (error) {
      if (!hasCode(error, 3400045) || !(await isIsolated())) throw error;
    }
  }

  async function heldRows() {
    return parseResult(positions, (await read('privateGetV5PositionList', MARKET)).result).list;
  }

  /** Sets one-way mode. With an open position or order Bybit refuses even the mode that is already set. */
  async function setOneWayMode(): Promise<void> {
    try {
      await apply(write('privatePostV5PositionSwitchMode', { ...MARKET, mode: 0 }), UNCHANGED.mode);
    } catch (error) {
      if (!hasCode(error, 110024, 110028) || !(await heldRows()).every(({ positionIdx }) => positionIdx === 0)) throw error;
    }
  }

  async function position(): Promise<ExchangePosition | null> {
    return toPosition(await heldRows());
  }

  async function equity(): Promise<number> {
    const { result } = await read('privateGetV5AccountWalletBalance', { accountType: 'UNIFIED', coin: 'USDT' });
    const coins = parseResult(wallets, result).list.flatMap(({ coin }) => coin);
    return coins.find(({ coin }) => coin === 'USDT')?.equity ?? 0;
  }

  async function openOrders(): Promise<ExchangeOrder[]> {
    const found = new Map<string, ExchangeOrder>();
    let cursor = '';
    for (let pages = 0; pages < MAX_PAGES; pages++) {
      const { result } = await read('privateGetV5OrderRealtime', { ...MARKET, openOnly: 0, limit: PAGE.orders, ...(cursor && { cursor }) });
      const { list, nextPageCursor } = parseResult(orders, result);
      for (const order of list.map(toOrder)) if (isOurs(order.clientId) && order.state === 'open') found.set(order.clientId, order);
      cursor = nextPageCursor;
      if (!cursor || list.length === 0) break;
    }
    return [...found.values()];
  }

  /** Finds an order. The history lags, and the realtime list forgets old orders, so both are searched. */
  async function find(clientId: string): Promise<ExchangeOrder | undefined> {
    for (const call of ['privateGetV5OrderRealtime', 'privateGetV5OrderHistory'] as const) {
      const { result } = await read(call, { ...MARKET, orderLinkId: clientId });
      const row = parseResult(orders, result).list.find(({ orderLinkId }) => orderLinkId === clientId);
      if (row) return toOrder(row);
    }
    return undefined;
  }

  return {
    check,

    async prepare(leverage) {
      if (!Number.isInteger(leverage) || leverage < 1 || leverage > MAX_LEVERAGE)
        throw new ExchangeError('rejected', `Leverage is a whole number from 1 to ${MAX_LEVERAGE}.`);
      await isolate();
      await setOneWayMode();
      const both = { buyLeverage: String(leverage), sellLeverage: String(leverage) };
      await apply(write('privatePostV5PositionSetLeverage', { ...MARKET, ...both }), UNCHANGED.leverage);
    },

    async submit(order) {
      const { result } = await write('privatePostV5OrderCreate', { ...MARKET, ...paramsOf(order) });
      const { orderId } = parseResult(created, result, true);
      // The order is placed, so a failed look-up must not look like a failed order.
      const found = await find(order.clientId).catch(() => undefined);
      const { clientId, direction, type, quantity } = order;
      return (
        found ?? {
          clientId,
          exchangeId: orderId,
          direction,
          type,
          quantity,
          state: 'open',
          filled: 0,
          price: null,
          fees: 0,
          updatedAt: now(),
        }
      );
    },

    async protect(stop, target) {
      await apply(write('privatePostV5PositionTradingStop', { ...MARKET, positionIdx: 0, ...attached(stop, target ?? 0) }), UNCHANGED.stop);
    },

    find,

    async cancel(clientId) {
      if (!isOurs(clientId)) throw new ExchangeError('rejected', 'This order is not ours.');
      await apply(write('privatePostV5OrderCancel', { ...MARKET, orderLinkId: clientId }), GONE);
    },

    async fills(since) {
      const rows = [];
      let start = Math.max(0, Math.floor(since), now() - MEMORY);
      for (let until = 0; until <= now(); start = until + 1) {
        until = start + WINDOW - 1;
        const window = [];
        let cursor = '';
        for (let pages = 0; pages < MAX_PAGES; pages++) {
          const params = { ...MARKET, startTime: start, endTime: until, limit: PAGE.executions, ...(cursor && { cursor }) };
          const { list, nextPageCursor } = parseResult(executions, (await read('privateGetV5ExecutionList', params)).result);
          window.push(...list);
          cursor = nextPageCursor;
          if (!cursor || list.length === 0) break;
          // A missing fill would turn a closed position into an open one.
          if (pages === MAX_PAGES - 1) throw new ExchangeError('unavailable', 'There are more executions than can be read.');
        }
        rows.push(...window.reverse());
      }
      return toFills(rows);
    },

    async snapshot() {
      const [held, money, resting] = await Promise.all([position(), equity(), openOrders()]);
      return { equity: money, position: held, openOrders: resting };
    },
  };
}

/** Formats a price without floating-point noise; 0 removes a stop or target. */
const usd = (price: number): string => (price === 0 ? '0' : price.toFixed(1));

/** Parameters of a market stop by mark price for the whole position, and of its target. */
const attached = (stop: number | undefined, target: number | undefined) => ({
  tpslMode: 'Full',
  ...(stop !== undefined && { stopLoss: usd(stop), slTriggerBy: 'MarkPrice', slOrderType: 'Market' }),
  ...(target !== undefined && { takeProfit: usd(target), tpTriggerBy: 'LastPrice', tpOrderType: 'Market' }),
});

function paramsOf({ clientId, direction, type, quantity, price, trigger, reduceOnly = false, stop, target }: NewOrder) {
  if (!isOurs(clientId)) throw new ExchangeError('rejected', "This order's id is not ours.");
  return {
    side: direction === 'buy' ? 'Buy' : 'Sell',
    orderType: type === 'limit' ? 'Limit' : 'Market',
    qty: quantity.toFixed(3),
    positionIdx: 0,
    orderLinkId: clientId,
    reduceOnly,
    ...(price !== undefined && { price: usd(price), timeInForce: 'GTC' }),
    // 1: when price rises to it, 2: when it falls to it.
    ...(trigger !== undefined && { triggerPrice: usd(trigger), triggerBy: 'MarkPrice', triggerDirection: direction === 'buy' ? 1 : 2 }),
    ...((stop !== undefined || target !== undefined) && attached(stop, target)),
  };
}
