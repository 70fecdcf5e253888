import { createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { Refusal } from './venue.ts';

/** Largest allowed clock lead of a caller, ms. */
const AHEAD = 1000;

export interface Signer {
  secret: string;
  /** ms; null never expires. */
  expiresAt: number | null;
  revoked: boolean;
}

interface Signed {
  headers: IncomingHttpHeaders;
  /** The raw query string or body. */
  payload: string;
  now: number;
}

/** Returns the key that signed a call. Throws `Refusal` in Bybit's order: unknown key, time, signature, expiry. */
export function verify<T extends Signer>(keys: ReadonlyMap<string, T>, { headers, payload, now }: Signed): T {
  const said = (name: string) => String(headers[`x-bapi-${name}`] ?? '');
  const key = keys.get(said('api-key'));
  if (!key || key.revoked) throw new Refusal(10003, 'API key is invalid.');
  const time = Number(said('timestamp'));
  const window = Number(said('recv-window') || 5000);
  if (!(now - window <= time && time < now + AHEAD))
    throw new Refusal(
      10002,
      `invalid request, please check your server timestamp or recv_window param. req_timestamp[${time}],server_timestamp[${now}]`,
    );
  const wanted = createHmac('sha256', key.secret)
    .update(`${said('timestamp')}${said('api-key')}${said('recv-window')}${payload}`)
    .digest();
  const given = Buffer.from(said('sign'), 'hex');
  if (given.length !== wanted.length || !timingSafeEqual(given, wanted))
    throw new Refusal(10004, 'error sign! please check your signature generation algorithm.');
  if (key.expiresAt !== null && key.expiresAt <= now) throw new Refusal(33004, 'Your api key has expired.');
  return key;
}
