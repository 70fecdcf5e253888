import { describe, expect, test } from 'vitest';
import { DAY } from '#domain/clock.ts';
import {
  executions,
  keyInformation,
  orders,
  positions,
  toFills,
  toKeyFacts,
  toOrder,
  toPosition,
} from '#server/ports/exchange/bybit/answers.ts';
import { parseResult } from '#server/ports/exchange/live/answers.ts';
import { isOurs } from '#server/ports/exchange/live/our-orders.ts';

const OURS = '0a1b2c3d-4e5f-5a6b-8c7d-0123456789ab';
const NOW = Date.UTC(2026, 10, 1);

test('orders are ours by the shape of their id', () => {
  expect([OURS, '', 'manual-1', OURS.replace('-5', '-4'), `${OURS}0`].map(isOurs)).toEqual([true, false, false, false, false]);
});

describe('an order', () => {
  const row = {
    orderId: 'a',
    orderLinkId: OURS,
    side: 'Sell',
    orderType: 'Market',
    stopOrderType: '',
    qty: '0.010',
    orderStatus: 'Filled',
    avgPrice: '50000.5',
    cumExecQty: '0.010',
    cumFeeDetail: { USDT: '0.275' },
    rejectReason: 'EC_NoError',
    updatedTime: '1700000000000',
  };
  const read = (change: Partial<typeof row>) => parseResult(orders, { list: [{ ...row, ...change }] }).list.map(toOrder)[0];

  test('is read from text', () => {
    expect(read({})).toEqual({
      clientId: OURS,
      exchangeId: 'a',
      direction: 'sell',
      type: 'market',
      quantity: 0.01,
      state: 'filled',
      filled: 0.01,
      price: 50_000.5,
      fees: 0.275,
      updatedAt: 1_700_000_000_000,
    });
  });

  test.each([
    ['New', '0', 'open'],
    ['Untriggered', '0', 'open'],
    ['PartiallyFilled', '0.004', 'open'],
    ['Cancelled', '0', 'cancelled'],
    ['Cancelled', '0.004', 'partly-filled-cancelled'],
    ['Deactivated', '0', 'cancelled'],
    ['Rejected', '0', 'rejected'],
  ])('%s with %s filled is %s', (orderStatus, cumExecQty, state) => {
    expect(read({ orderStatus, cumExecQty, avgPrice: '' })).toMatchObject({ state, price: null });
  });

  test('rejected for lack of money has its code', () => {
    expect(read({ orderStatus: 'Rejected', rejectReason: 'EC_InsufficientBalance' })?.reject).toBe(110_007);
  });

  test('that cannot be parsed is no answer', () => {
    expect(() => read({ qty: 'much' })).toThrow('could not be reached');
  });
});

describe('a position', () => {
  const none = { side: '', size: '0', avgPrice: '', markPrice: '50000', stopLoss: '', takeProfit: '', liqPrice: '', createdTime: '' };
  const read = (...list: object[]) => toPosition(parseResult(positions, { list }).list);

  test('of size 0 is null', () => expect(read(none)).toBeNull());

  test('has its stop and target, or null', () => {
    const held = { ...none, side: 'Sell', size: '0.02', avgPrice: '51000', stopLoss: '52000', takeProfit: '0', liqPrice: '55000' };
    expect(read(held)).toMatchObject({
      side: 'short',
      quantity: 0.02,
      entryPrice: 51_000,
      stop: 52_000,
      target: null,
      liquidationPrice: 55_000,
    });
  });
});

describe('executions', () => {
  const row = {
    execId: '1',
    execTime: '1000',
    orderLinkId: OURS,
    side: 'Buy',
    execQty: '0.01',
    execPrice: '50000',
    execFee: '0.2',
    execType: 'Trade',
    stopOrderType: 'UNKNOWN',
  };
  const read = (...rows: Partial<typeof row>[]) =>
    toFills(parseResult(executions, { list: rows.map((some) => ({ ...row, ...some })) }).list);
  const end = { execId: '2', execTime: '2000', orderLinkId: '', side: 'Sell', execPrice: '49000' };

  test('realize the profit of what they close, from the mean entry price', () => {
    const more = { execId: '3', execTime: '1500', execQty: '0.03', execPrice: '52000' };
    const [, , part, rest] = read({}, more, { ...end, execQty: '0.01' }, { ...end, execId: '4', execQty: '0.03', execTime: '3000' });
    expect(part?.realised).toBeCloseTo(-25, 9);
    expect(rest?.realised).toBeCloseTo(-75, 9);
  });

  test("realize the opposite for a short position, and nothing for a reversal's new part", () => {
    const [, turned, closed] = read(
      { side: 'Sell' },
      { ...end, side: 'Buy', execQty: '0.03' },
      { ...end, execId: '5', execTime: '3000', execQty: '0.02', execPrice: '49500' },
    );
    expect(turned?.realised).toBeCloseTo(10, 9);
    expect(closed?.realised).toBeCloseTo(10, 9);
  });

  test.each([{ execQty: '-0.01' }, { execPrice: '-50000' }, { execTime: '8640000000000001' }, { execTime: '-1' }])(
    'with %o are no answer',
    (wrong) => {
      expect(() => read(wrong)).toThrow('could not be reached');
    },
  );

  test('are unique and sorted by time', () => {
    expect(read(end, {}, {}, end).map(({ id }) => id)).toEqual(['1', '2']);
  });

  test.each([
    [{ ...end, stopOrderType: 'StopLoss' }, 'stop'],
    [{ ...end, stopOrderType: 'TakeProfit' }, 'target'],
    [{ ...end, execType: 'BustTrade' }, 'liquidation'],
    [{ ...end, execType: 'AdlTrade' }, 'adl'],
    [end, 'order'],
  ])('%o: %s', (row, reason) => {
    expect(read({}, row)[1]).toMatchObject({ reason, clientId: null });
  });

  test('of funding cost what was paid', () => {
    expect(read({ execType: 'Funding', execFee: '0.05' })[0]).toMatchObject({ reason: 'funding', clientId: null, fee: 0, realised: -0.05 });
  });
});

describe('a key', () => {
  const key = {
    readOnly: 0,
    permissions: { ContractTrade: ['Order', 'Position'], Wallet: [] as string[] },
    deadlineDay: -1,
    expiredAt: '1970-01-01T00:00:00Z',
    userID: 24617703,
    parentUid: '0',
    inviterID: 0,
    affiliateID: 77,
    kycRegion: 'ITA',
  };
  const read = (change: Partial<typeof key>) =>
    toKeyFacts(parseResult(keyInformation, { ...key, ...change }), { referred: true, takerFee: 0.0004, now: NOW });

  test('that may trade, and nothing else', () => {
    expect(read({})).toEqual({
      mayTrade: true,
      mayWithdraw: false,
      accountId: '24617703',
      referred: true,
      expiresAt: null,
      restricted: false,
      takerFee: 0.0004,
    });
  });

  test('that may not', () => {
    expect(read({ readOnly: 1 }).mayTrade).toBe(false);
    expect(read({ permissions: { ContractTrade: ['Order'], Wallet: [] } }).mayTrade).toBe(false);
  });

  test('that may withdraw', () => {
    expect(read({ permissions: { ...key.permissions, Wallet: ['AccountTransfer', 'Withdraw'] } }).mayWithdraw).toBe(true);
  });

  test('that expires, by date or by days left', () => {
    expect(read({ expiredAt: '2026-12-01T00:00:00Z' }).expiresAt).toBe(Date.UTC(2026, 11, 1));
    expect(read({ expiredAt: '', deadlineDay: 3 }).expiresAt).toBe(NOW + 3 * DAY);
  });

  test.each(['USA', 'us'])('of a user in %s', (kycRegion) => expect(read({ kycRegion }).restricted).toBe(true));
});
