import type { FastifyInstance } from 'fastify';
import { memo } from '#server/ports/market-data/memo.ts';
import { createCompressedAnswer } from '../compressed-answer.ts';
import { sendRevalidated } from '../send-answer.ts';
import type { Rates } from './rates.ts';

/** Registers the rates of display currencies. */
export function rateRoutes(app: FastifyInstance, { rates }: { rates: Rates }): void {
  const answer = memo((data: object) => createCompressedAnswer({ status: 200, data }));
  app.get('/coin-market/rates', async (request, reply) => sendRevalidated(request, reply, answer(await rates())));
}
