import type { Clock } from '#domain/clock.ts';
import { type Bots, createBots } from '../bots/bots.ts';
import { createAccessOf } from '../bots/store/access.ts';
import { type Config, secretsKeysOf } from '../config.ts';
import type { OpenDb } from '../db/open.ts';
import { createJobs } from '../jobs/jobs.ts';
import type { Notify, NotifyAll } from '../modules/notifications/service.ts';
import { createPlanOf } from '../modules/subscriptions/current-plan.ts';
import { openExchange } from '../ports/exchange/exchanges.ts';
import { openPayments } from '../ports/payments/open-payments.ts';
import { demandSecret } from '../settings/shared-secrets.ts';

interface Parts extends Pick<OpenDb, 'db' | 'queue'> {
  config: Config;
  clock: Clock;
  notify: Notify;
  notifyAll: NotifyAll;
}

/** Runs work on the bots in this process, for commands while no server runs. Opens the exchange only for that. */
export const withBots =
  ({ config, db, queue, clock, notify, notifyAll }: Parts) =>
  async <T>(work: (bots: Bots) => Promise<T>): Promise<T> => {
    await demandSecret(db, config, 'SECRETS_KEY');
    const { exchange } = await openExchange(config, { db, clock, mayChangeFeed: false });
    const log = (...details: unknown[]) => console.error(...details);
    const bots = createBots({
      db,
      clock,
      exchange,
      testnet: config.exchange.testnet,
      jobs: createJobs(queue, log),
      notify,
      notifyAll,
      accessOf: createAccessOf({ clock, planOf: createPlanOf({ clock, store: openPayments(config, clock).kind }) }),
      demandProof: async () => undefined,
      ...secretsKeysOf(config),
      trade: 'never',
      log: { warn: log, error: log },
    });
    try {
      return await work(bots);
    } finally {
      await bots.stopTrading();
      await bots.close();
    }
  };
