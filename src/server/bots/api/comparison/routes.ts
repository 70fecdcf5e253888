import { botComparisonAnswer } from '#contract/bots/bot-comparison.ts';
import { identityOf } from '#server/http/authenticate.ts';
import { unavailable } from '#server/http/errors.ts';
import { idParams, pathId } from '#server/http/path-id.ts';
import { limitBy } from '#server/http/rate-limits.ts';
import { COMPARISONS } from '../limits.ts';
import type { App } from '../typed-app.ts';
import type { Comparisons } from './comparisons.ts';

/** Adds the route that compares a bot with a backtest of the same days. A closed connection cancels the comparison. */
export function addComparisonRoute(app: App, comparisons: Comparisons): void {
  const preHandler = limitBy(app, COMPARISONS, (request) => identityOf(request).userId);
  const schema = { params: idParams, response: { 200: botComparisonAnswer } };
  app.get('/trading-bots/:id/comparison', { schema, preHandler }, async (request, reply) => {
    const dropped = new AbortController();
    reply.raw.once('close', () => dropped.abort(unavailable('canceled', 'The connection closed before the answer.')));
    return { status: 200, data: await comparisons.compare(identityOf(request).userId, pathId(request), dropped.signal) };
  });
}
