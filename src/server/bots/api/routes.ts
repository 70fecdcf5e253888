import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { identityOf } from '#server/http/authenticate.ts';
import { notFound } from '#server/http/errors.ts';
import { limitBy } from '#server/http/rate-limits.ts';
import { addCommandRoutes, type CommandOptions } from './command-routes.ts';
import type { Comparisons } from './comparison/comparisons.ts';
import { addComparisonRoute } from './comparison/routes.ts';
import { addTradeHistoryRoutes } from './history/routes.ts';
import { COMMANDS, FILES, REPORTS } from './limits.ts';
import { addReadRoutes } from './read-routes.ts';

/** Adds the routes of the trading-bot service. A request that names another user's id gets 404. */
export function botRoutes(scope: FastifyInstance, { comparisons, ...options }: CommandOptions & { comparisons: Comparisons }): void {
  const app = scope.withTypeProvider<ZodTypeProvider>();
  const byUser = (request: FastifyRequest) => identityOf(request).userId;
  const limitCommands = limitBy(app, COMMANDS, byUser);

  app.addHook('onRequest', async (request, reply) => {
    if (request.method !== 'GET') await limitCommands(request, reply);
  });
  app.addHook('preValidation', async (request) => {
    request.body = liftCredentials(request.body);
  });
  app.addHook('preHandler', async (request) => {
    const { userId } = identityOf(request);
    const named = [request.headers['user-id'], fieldOf(request.query, 'user_id'), fieldOf(request.body, 'user_id')];
    if (named.some((id) => id !== undefined && id !== userId)) throw notFound();
  });

  const { bots } = options;
  const limitReports = limitBy(app, REPORTS, byUser);
  addReadRoutes(app, { bots, limitReports });
  addTradeHistoryRoutes(app, { bots, limitReports, limitFiles: limitBy(app, FILES, byUser) });
  addComparisonRoute(app, comparisons);
  addCommandRoutes(app, options);
}

const fieldOf = (from: unknown, name: string): unknown =>
  typeof from === 'object' && from !== null ? (from as Record<string, unknown>)[name] : undefined;

/** Moves credentials from `config.custom_settings` to the top level. Clients may send them in either place (7.bots.3). */
function liftCredentials(body: unknown): unknown {
  const settings = fieldOf(fieldOf(body, 'config'), 'custom_settings');
  const api_key = fieldOf(settings, 'api_key');
  const secret_key = fieldOf(settings, 'secret_key');
  const passphrase = fieldOf(settings, 'passphrase');
  if (!api_key || !secret_key) return body;
  const given = body as Record<string, unknown>;
  const config = given.config as Record<string, unknown>;
  return {
    ...given,
    api_key: given.api_key || api_key,
    secret_key: given.secret_key || secret_key,
    ...(passphrase ? { passphrase: given.passphrase || passphrase } : {}),
    config: { ...config, custom_settings: { ...(settings as object), api_key: '', secret_key: '', passphrase: '' } },
  };
}
