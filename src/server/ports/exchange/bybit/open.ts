import { createAddressBudget } from '../address-budget.ts';
import type { ExchangeContext, OpenedExchange } from '../open-context.ts';
import { createBybit } from './bybit.ts';

/** Bybit allows an address 600 requests in any 5 s. These windows of half a second never add up to more than 572. */
const LIMIT = { max: 52, span: 500 };

/** Host of Bybit's demo accounts. */
const DEMO = 'api-demo.bybit.com';

export async function openBybit({ db, clock, testnet, baseUrl, referral, interval, report }: ExchangeContext): Promise<OpenedExchange> {
  const { code, affiliate } = referral;
  const proofs = { ...(code !== undefined && { code }), ...(affiliate && { affiliate }) };
  const budget = createAddressBudget({ db, clock, name: `requests:bybit${testnet ? ':testnet' : ''}`, limit: LIMIT });
  const isDemo = baseUrl !== undefined && new URL(baseUrl).hostname === DEMO;
  return {
    exchange: await createBybit({ testnet, isDemo, ...(baseUrl && { baseUrl }), referral: proofs, clock, budget, interval, report }),
  };
}
