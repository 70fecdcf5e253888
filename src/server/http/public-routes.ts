import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { EXCHANGES } from '#contract/bots/exchange-names.ts';
import { type ServerConfig, serverConfigAnswer } from '#contract/config.ts';
import { intervalName } from '#domain/bots/intervals.ts';
import type { Config } from '../config.ts';
import type { CandleFeed } from '../ports/exchange/exchange.ts';
import { livePricesOf } from '../ports/exchange/live-prices.ts';
import { PAGE_CSS } from './html.ts';

/** Returns the public facts about the exchange that bots trade on, and about its candles. */
export function publicBots({ exchange, referral, egressAddresses }: Config, feed: CandleFeed): ServerConfig['bots'] {
  const { isSimulated } = EXCHANGES[exchange.kind];
  const { from, to } = feed.replay?.() ?? {};
  return {
    exchange: exchange.kind,
    paper: isSimulated || exchange.testnet,
    speed: isSimulated ? feed.speed : null,
    replay: from && to ? { from, to } : null,
    live: livePricesOf(feed),
    interval: intervalName(feed.interval),
    signUpUrl: referral.signUpUrl,
    referralUrls: [...referral.urls],
    egressAddresses: [...egressAddresses],
  };
}

/** Registers the public configuration and the stylesheet of the server's own pages. */
export function publicRoutes(scope: FastifyInstance, known: () => ServerConfig): void {
  const app = scope.withTypeProvider<ZodTypeProvider>();
  app.get('/config', { schema: { response: { 200: serverConfigAnswer } }, config: { public: true } }, async () => ({
    status: 200,
    data: known(),
  }));
  app.get('/page.css', { config: { public: true } }, async (_request, reply) => reply.type('text/css; charset=utf-8').send(PAGE_CSS));
}
