import type { Clock } from '#domain/clock.ts';
import { type Config, isLoopback } from '#server/config.ts';
import { type Payments, storeClosed } from './payments.ts';
import { createRevenueCat } from './revenuecat/revenuecat.ts';
import { createTestStore } from './test-store/test-store.ts';

type PaymentsConfig = Pick<Config, 'testStore' | 'secretsKey' | 'revenueCat' | 'publicUrl'>;

/** Opens the configured store. */
export function openPayments({ testStore, secretsKey, revenueCat, publicUrl }: PaymentsConfig, clock: Clock): Payments {
  const sandbox = isLoopback(new URL(publicUrl).hostname);
  if (revenueCat) return createRevenueCat({ ...revenueCat, clock, sandbox });
  return testStore ? createTestStore({ secretsKey, clock }) : closedStore;
}

/** No store. Earlier purchases count until they end. */
const closedStore: Payments = {
  kind: 'revenuecat',
  ask: async () => {
    throw storeClosed();
  },
};
