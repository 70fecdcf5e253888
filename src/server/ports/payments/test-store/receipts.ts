import { createHmac, randomUUID } from 'node:crypto';
import { jwtVerify, SignJWT } from 'jose';
import * as z from 'zod/mini';
import { type ProductId, productId } from '#contract/subscription.ts';
import { type Clock, MINUTE } from '#domain/clock.ts';

const LIFE = 10 * MINUTE;
const ALGORITHM = 'HS256';
const AUDIENCE = 'test-store';

const claims = z.object({ sub: z.string(), jti: z.string(), product: productId });

export interface Receipt {
  id: string;
  appUserId: string;
  product: ProductId;
}

/** Signs and verifies receipts with a key that nothing else uses. */
export function createReceipts({ secretsKey, clock }: { secretsKey: string; clock: Clock }) {
  const key = createHmac('sha256', secretsKey).update('receipts of the test store').digest();
  return {
    sign(appUserId: string, product: ProductId): Promise<string> {
      const now = clock();
      return new SignJWT({ product })
        .setProtectedHeader({ alg: ALGORITHM })
        .setSubject(appUserId)
        .setAudience(AUDIENCE)
        .setJti(randomUUID())
        .setExpirationTime(Math.floor((now + LIFE) / 1000))
        .sign(key);
    },

    /** Returns null for an expired receipt or another signature. */
    async read(receipt: string): Promise<Receipt | null> {
      const options = { algorithms: [ALGORITHM], audience: AUDIENCE, requiredClaims: ['exp'], currentDate: new Date(clock()) };
      const verified = await jwtVerify(receipt, key, options).catch(() => null);
      const read = z.safeParse(claims, verified?.payload);
      return read.success ? { id: read.data.jti, appUserId: read.data.sub, product: read.data.product } : null;
    },
  };
}
