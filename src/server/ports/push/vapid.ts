import { createECDH } from 'node:crypto';
import webPush from 'web-push';
import { HOUR } from '#domain/clock.ts';
import { createRecentMap } from '#server/recent-map.ts';

/** The pair that identifies the installation to push services (RFC 8292): P-256, in base64url. */
export interface VapidKeys {
  publicKey: string;
  privateKey: string;
}

/** Push services whose signature is kept. Users choose the services. */
const MAX_SERVICES = 100;
/** How long a signature is used, and valid, ms. Services refuse more than 24 hours. */
const [USED, VALID] = [6 * HOUR, 12 * HOUR];

export const makeVapidKeys = (): VapidKeys => webPush.generateVAPIDKeys();

/** Returns the public key of a private one; undefined if it is no private key. */
export function publicKeyOf(privateKey: string): string | undefined {
  try {
    const pair = createECDH('prime256v1');
    pair.setPrivateKey(privateKey, 'base64url');
    return pair.getPublicKey('base64url');
  } catch {
    return undefined;
  }
}

/** Creates a function that returns the `Authorization` header for a push service. It signs once in six hours for each service. */
export function createVapidSigner({ keys, subject }: { keys: () => Promise<VapidKeys>; subject: string }) {
  const signed = createRecentMap<string, { header: string; since: number }>(MAX_SERVICES);
  return async (origin: string, now: number): Promise<string> => {
    const known = signed.get(origin);
    if (known && now >= known.since && now - known.since < USED) return known.header;
    const { publicKey, privateKey } = await keys();
    const expires = Math.floor((now + VALID) / 1000);
    const { Authorization: header } = webPush.getVapidHeaders(origin, subject, publicKey, privateKey, 'aes128gcm', expires);
    signed.set(origin, { header, since: now });
    return header;
  };
}
