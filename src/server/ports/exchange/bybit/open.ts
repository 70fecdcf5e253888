import type { ExchangeContext, OpenedExchange } from '../open-context.ts';
import { createBybit } from './bybit.ts';

export async function openBybit({ clock, testnet, baseUrl, referral, interval, report }: ExchangeContext): Promise<OpenedExchange> {
  const { code, affiliate } = referral;
  const proofs = { ...(code !== undefined && { code }), ...(affiliate && { affiliate }) };
  return { exchange: await createBybit({ testnet, ...(baseUrl && { baseUrl }), referral: proofs, clock, interval, report }) };
}
