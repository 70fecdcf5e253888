import cors from '@fastify/cors';
import type { FastifyInstance } from 'fastify';
import helmet from 'helmet';
import { COIN_IMAGE_HOST } from '#contract/market/coin-images.ts';
import type { Config } from '../config.ts';

/** Sets the content security policy, other security headers and CORS. */
export async function secure(
  app: FastifyInstance,
  config: Pick<Config, 'publicUrl' | 'allowedOrigins' | 'clientHosts' | 'frameHosts'>,
): Promise<void> {
  const https = config.publicUrl.startsWith('https:');
  const hosts = [new URL(config.publicUrl).origin, ...config.clientHosts];
  // Once: the framework's plugin of helmet builds all headers for each request again.
  const setHeaders = helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        'default-src': ["'self'"],
        'script-src': ["'self'"],
        'style-src': ["'self'"],
        'img-src': ["'self'", 'blob:', 'data:', COIN_IMAGE_HOST],
        'font-src': ["'self'"],
        // The worker fetches coin pictures itself. Not every browser includes ws: in 'self'.
        'connect-src': ["'self'", COIN_IMAGE_HOST, ...config.clientHosts, ...hosts.map((origin) => origin.replace(/^http/, 'ws'))],
        // http/chart-frame serves the charting provider's widget.
        'frame-src': ["'self'", ...config.frameHosts],
        'worker-src': ["'self'"],
        'manifest-src': ["'self'"],
        'object-src': ["'none'"],
        'base-uri': ["'none'"],
        'form-action': ["'self'"],
        // The training insight frames the app's own indicator page.
        'frame-ancestors': ["'self'"],
      },
    },
    strictTransportSecurity: https && { maxAge: 31_536_000, includeSubDomains: false },
    xFrameOptions: { action: 'sameorigin' },
    referrerPolicy: { policy: 'strict-origin-when-cross-origin' },
  });
  app.addHook('onRequest', (request, reply, done) => setHeaders(request.raw, reply.raw, (error) => done(error as Error | undefined)));
  await app.register(cors, {
    origin: [...config.allowedOrigins],
    credentials: true,
    allowedHeaders: ['Authorization', 'Content-Type', 'Idempotency-Key', 'User-Id'],
    exposedHeaders: ['Retry-After', 'X-Request-Id'],
    methods: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
    maxAge: 600,
  });
}
