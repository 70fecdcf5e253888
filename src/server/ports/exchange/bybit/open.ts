import { MINUTE } from '#domain/clock.ts';
import { createAddressBudget } from '../address-budget.ts';
import type { ExchangeContext, OpenedExchange } from '../open-context.ts';
import { createBybit } from './bybit.ts';
import { apiUrls } from './hosts.ts';

/** Bybit allows an address 600 requests in any 5 s. These windows of half a second never add up to more than 572. */
export const LIMIT = { max: 52, span: 500 };
/** Bybit allows an address 500 connections in any 5 minutes. These windows of a minute never add up to more than 480. */
export const DIALS = { max: 80, span: MINUTE };

/** Host of Bybit's demo accounts. */
const DEMO = 'api-demo.bybit.com';

/** Creates the budgets of this server's network address, which all its processes share. */
export function addressBudgets({ db, clock, isAlone, testnet }: Pick<ExchangeContext, 'db' | 'clock' | 'isAlone' | 'testnet'>) {
  const net = `bybit${testnet ? ':testnet' : ''}`;
  return {
    requests: createAddressBudget({ db, clock, isAlone, name: `requests:${net}`, limit: LIMIT }),
    dials: createAddressBudget({ db, clock, isAlone, name: `streams:${net}`, limit: DIALS }),
  };
}

export async function openBybit({
  db,
  clock,
  isAlone,
  testnet,
  baseUrl,
  region,
  referral,
  interval,
  report,
}: ExchangeContext): Promise<OpenedExchange> {
  const { code, affiliate } = referral;
  const proofs = { ...(code !== undefined && { code }), ...(affiliate && { affiliate }) };
  const { requests: budget, dials } = addressBudgets({ db, clock, isAlone, testnet });
  const isDemo = baseUrl !== undefined && new URL(baseUrl).hostname === DEMO;
  const urls = apiUrls({ region, testnet, baseUrl });
  return { exchange: createBybit({ testnet, isDemo, urls, referral: proofs, clock, budget, streams: { dials }, interval, report }) };
}
