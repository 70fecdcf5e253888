import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import type { Clock } from '#domain/clock.ts';
import type { Audit } from '../audit.ts';
import { createBudgets } from '../budgets.ts';
import type { Db } from '../db/open.ts';
import type { DemandProof } from '../http/authenticate.ts';
import type { Jobs } from '../jobs/jobs.ts';
import type { Notify } from '../modules/notifications/service.ts';
import type { Exchange } from '../ports/exchange/exchange.ts';
import { createKeyCheckLimit } from './api/limits.ts';
import { botRoutes } from './api/routes.ts';
import { createBotService } from './api/service.ts';
import { createEngine } from './engine/engine.ts';
import { createKeySafe } from './keys/key-safe.ts';
import { rotateKey } from './keys/rotation.ts';
import type { AccessOf } from './store/access.ts';
import { createWatchdog } from './watchdog.ts';

interface Parts {
  db: Db;
  clock: Clock;
  exchange: Exchange;
  testnet: boolean;
  jobs: Jobs;
  notify: Notify;
  accessOf: AccessOf;
  /** Asks for a recent password before real money is moved. */
  demandProof: DemandProof;
  secretsKey: string;
  /** The key before, under which keys may still be sealed. */
  previousSecretsKey?: string | undefined;
  /** Stores a new SECRETS_KEY and returns it; undefined where settings give the key. */
  generateSecretsKey?: (() => string) | undefined;
  /** always: others may make bots too; needed: from the first bot on; never: another process trades. */
  trade: 'always' | 'needed' | 'never';
  log: Pick<FastifyBaseLogger, 'warn' | 'error'>;
}

export type Bots = ReturnType<typeof createBots>;

/** The trading-bot service: its calls, the engine behind them, and the watchdog over both. */
export function createBots({ trade, secretsKey, previousSecretsKey, generateSecretsKey, log, testnet, demandProof, ...parts }: Parts) {
  const { db, clock, exchange, notify, accessOf } = parts;
  const safe = createKeySafe(secretsKey, previousSecretsKey);
  const report = (err: unknown) => log.error({ err }, 'work on the bots failed');
  const engine = createEngine({ ...parts, safe, log });
  const wake = () => {
    if (trade !== 'never') engine.hurry().catch(report);
  };
  const service = createBotService({ db, clock, exchange, testnet, safe, accessOf, tend: engine.tend, wake });
  const limitKeyChecks = createKeyCheckLimit(createBudgets({ db, clock }));
  const watchdog = createWatchdog({ db, clock, notify, report });

  return {
    engine,
    windUpAll: (userId: string) => service.windUpAll(userId),
    rotateKey: () => rotateKey({ db, clock, exchange, safe, generate: generateSecretsKey }),
    routes: (scope: FastifyInstance, audit: Audit) =>
      botRoutes(scope, { db, bots: service, digest: safe.digest, demandProof, limitKeyChecks, audit }),
    async start(): Promise<void> {
      watchdog.start();
      if (trade === 'always' || (trade === 'needed' && (await engine.isNeeded()))) engine.begin().catch(report);
    },
    async stop(): Promise<void> {
      watchdog.stop();
      await engine.stop();
      await exchange.close();
    },
  };
}
