import { createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { Refusal } from '../bybit/venue.ts';

/** How old or early a request may be, ms. */
const WINDOW = 30_000;

export interface Signer {
  secret: string;
  passphrase: string;
  revoked: boolean;
  /** A key of demo trading. */
  demo: boolean;
}

interface Signed {
  headers: IncomingHttpHeaders;
  method: string;
  /** Path with its query. */
  target: string;
  body: string;
  now: number;
}

const isEqual = (a: Buffer, b: Buffer): boolean => a.length === b.length && timingSafeEqual(a, b);

/** Returns the key that signed a call. Throws `Refusal` for an unknown key, another environment, a time, a passphrase, a signature. */
export function verify<T extends Signer>(keys: ReadonlyMap<string, T>, { headers, method, target, body, now }: Signed): T {
  const said = (name: string) => String(headers[`ok-access-${name}`] ?? '');
  if (said('key') === '') throw new Refusal(50103, 'Request header "OK-ACCESS-KEY" cannot be empty');
  const key = keys.get(said('key'));
  if (!key || key.revoked) throw new Refusal(50119, "API key doesn't exist");
  if (key.demo !== (headers['x-simulated-trading'] === '1')) throw new Refusal(50101, 'APIKey does not match current environment');
  const time = Date.parse(said('timestamp'));
  if (Number.isNaN(time)) throw new Refusal(50112, 'Invalid OK-ACCESS-TIMESTAMP');
  if (Math.abs(now - time) > WINDOW) throw new Refusal(50102, 'Timestamp request expired');
  if (said('passphrase') !== key.passphrase) throw new Refusal(50105, 'Request header "OK-ACCESS-PASSPHRASE" incorrect');
  const wanted = createHmac('sha256', key.secret)
    .update(`${said('timestamp')}${method}${target}${body}`)
    .digest();
  if (!isEqual(Buffer.from(said('sign'), 'base64'), wanted)) throw new Refusal(50113, 'Invalid Sign');
  return key;
}
