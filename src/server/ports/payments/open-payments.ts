import type { Clock } from '#domain/clock.ts';
import { type Config, isLoopback } from '#server/config.ts';
import { type Payments, storeClosed } from './payments.ts';
import { createRevenueCat } from './revenuecat/revenuecat.ts';
import { createTestStore } from './test-store/test-store.ts';

type PaymentsConfig = Pick<Config, 'testStore' | 'secretsKey' | 'revenueCat' | 'publicUrl'>;

/** The store that the settings ask for. */
export function openPayments({ testStore, secretsKey, revenueCat, publicUrl }: PaymentsConfig, clock: Clock): Payments {
  const sandbox = isLoopback(new URL(publicUrl).hostname);
  if (revenueCat) return createRevenueCat({ ...revenueCat, clock, sandbox });
  return testStore ? createTestStore({ secretsKey, clock }) : closedStore;
}

/** Nobody to ask. What was bought before counts until it ends. */
const closedStore: Payments = {
  kind: 'revenuecat',
  ask: async () => {
    throw storeClosed();
  },
};
