import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { currentFigureAnswer, figureSubject } from '#contract/chat/answer-figures.ts';
import { findCurrentFigure } from '#domain/analyst/current-figure.ts';
import type { Figures } from '#domain/analyst/figures.ts';
import { MINUTE, SECOND } from '#domain/clock.ts';
import { identityOf } from '#server/http/authenticate.ts';
import { unavailable } from '#server/http/errors.ts';
import { limitBy } from '#server/http/rate-limits.ts';
import { withDeadline } from '#server/with-deadline.ts';

/** Figures that one user may look up per minute: a coin outside the list can cost provider credits. */
const LOOKUPS = { name: 'current figures', max: 60, timeWindow: MINUTE };
/** How long a lookup waits for the market, ms. */
const PATIENCE = 10 * SECOND;

/** Registers the lookup of the current value of a figure in an answer. */
export function figureRoutes(scope: FastifyInstance, { figures }: { figures: Figures }): void {
  const app = scope.withTypeProvider<ZodTypeProvider>();
  app.post(
    '/chat/figures/current',
    {
      schema: { body: figureSubject, response: { 200: currentFigureAnswer } },
      preHandler: limitBy(app, LOOKUPS, (request) => identityOf(request).userId),
    },
    async (request) => {
      try {
        return { status: 200, data: await withDeadline(PATIENCE, undefined, () => findCurrentFigure(request.body, figures)) };
      } catch (error) {
        request.log.warn({ err: error }, 'a current figure could not be looked up');
        throw unavailable('market_away', 'The market figures can’t be read at the moment. Please try again.');
      }
    },
  );
}
