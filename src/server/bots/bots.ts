import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import type { Clock } from '#domain/clock.ts';
import type { Audit } from '../audit.ts';
import type { BacktestRunner } from '../backtests/backtest-runner.ts';
import type { Budgets } from '../budgets.ts';
import type { Db } from '../db/open.ts';
import type { DemandProof } from '../http/authenticate.ts';
import type { Jobs } from '../jobs/jobs.ts';
import type { Notify, NotifyAll } from '../modules/notifications/service.ts';
import type { Exchange } from '../ports/exchange/exchange.ts';
import { createComparisons } from './api/comparison/comparisons.ts';
import { createKeyCheckLimit } from './api/limits.ts';
import { botRoutes } from './api/routes.ts';
import { createBotService } from './api/service.ts';
import { createEngine } from './engine/engine.ts';
import { createKeySafe } from './keys/key-safe.ts';
import { rotateKey } from './keys/rotation.ts';
import { secretsIn } from './keys/safe-secrets.ts';
import type { AccessOf } from './store/access.ts';
import { hasActiveBots } from './store/due-bots.ts';
import { createWatchdog } from './watchdog.ts';

interface Parts {
  db: Db;
  clock: Clock;
  exchange: Exchange;
  testnet: boolean;
  jobs: Jobs;
  notify: Notify;
  notifyAll: NotifyAll;
  accessOf: AccessOf;
  /** Demands a recent password before a command touches real money. */
  demandProof: DemandProof;
  secretsKey: string;
  /** The key that `secretsKey` replaced, which may still seal API keys. */
  previousSecretsKey?: string | undefined;
  /** Stores a new SECRETS_KEY and returns it; undefined if the settings have the key. */
  generateSecretsKey?: (() => string) | undefined;
  /** always: other processes may create bots too; needed: from the first bot on; never: another process trades. */
  trade: 'always' | 'needed' | 'never';
  /** Waits for some ms; tests skip the wait. */
  sleep?: (ms: number) => Promise<unknown>;
  log: Pick<FastifyBaseLogger, 'warn' | 'error'>;
}

/** What the routes use, count and report. */
interface Controls {
  /** Runs the backtests that bots are compared with. */
  backtests: BacktestRunner;
  audit: Audit;
  budgets: Budgets;
}

export type Bots = ReturnType<typeof createBots>;

/** Creates the trading-bot service: its routes, the engine and the watchdog. */
export function createBots({ trade, secretsKey, previousSecretsKey, generateSecretsKey, log, testnet, demandProof, ...parts }: Parts) {
  const { db, clock, exchange, notify, accessOf } = parts;
  const safe = createKeySafe(secretsKey, previousSecretsKey);
  const report = (err: unknown) => log.error({ err }, 'bot work failed');
  const engine = createEngine({ ...parts, safe, log });
  let isTrading = trade !== 'never';
  const wake = () => {
    if (isTrading) engine.sweepNow().catch(report);
  };
  const service = createBotService({ db, clock, exchange, testnet, safe, accessOf, runBotCycle: engine.runBotCycle, wake });
  const watchdog = createWatchdog({ db, clock, notify, report });

  return {
    engine,
    checkQueue: engine.checkQueue,
    /** Seals one secret for each row of other parts. */
    secrets: secretsIn(safe),
    /** Returns the bots of one user, oldest first. */
    list: service.list,
    closeAllBots: (userId: string) => service.closeAll(userId),
    rotateKey: () => rotateKey({ db, clock, exchange, safe, generate: generateSecretsKey }),
    routes(scope: FastifyInstance, { audit, budgets, backtests }: Controls): void {
      const limitKeyChecks = createKeyCheckLimit(budgets);
      const comparisons = createComparisons({ db, clock, exchange, runner: backtests });
      botRoutes(scope, { comparisons, db, bots: service, digest: safe.digest, demandProof, limitKeyChecks, audit });
    },
    async start(): Promise<void> {
      watchdog.start();
      if (trade === 'always' || (trade === 'needed' && (await hasActiveBots(db)))) engine.start().catch(report);
    },
    /** Ends the cycles of bots and releases their leases. Their commands still work. */
    async stopTrading(): Promise<void> {
      isTrading = false;
      watchdog.stop();
      await engine.stop();
    },
    /** Reports a failure only: without the database, what the process holds there ends by itself. */
    close: (): Promise<void> => exchange.close().catch(report),
  };
}
