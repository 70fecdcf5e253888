import { createAddressBudget } from '../address-budget.ts';
import type { ExchangeContext, OpenedExchange } from '../open-context.ts';
import { createOkx } from './okx.ts';

/**
 * OKX limits private calls for each account, and public ones for each address: candles to 20 in 2 s in their history. This budget of all
 * calls is ours: OKX publishes no limit of their sum.
 */
const LIMIT = { max: 40, span: 500 };

const URL = 'https://www.okx.com';

export async function openOkx({
  db,
  clock,
  isAlone,
  testnet,
  baseUrl,
  referral,
  interval,
  report,
}: ExchangeContext): Promise<OpenedExchange> {
  const { affiliate } = referral;
  const budget = createAddressBudget({ db, clock, isAlone, name: `requests:okx${testnet ? ':demo' : ''}`, limit: LIMIT });
  return { exchange: createOkx({ demo: testnet, url: baseUrl ?? URL, affiliate, clock, budget, interval, report }) };
}
