import { randomUUID } from 'node:crypto';
import fastify, { type FastifyInstance, LogController } from 'fastify';
import { serializerCompiler, validatorCompiler, type ZodTypeProvider } from 'fastify-type-provider-zod';
import { MINUTE, SECOND } from '#domain/clock.ts';
import type { Config } from '../config.ts';
import { answerClientError } from './client-error.ts';
import { errorForLog } from './error-for-log.ts';
import { answerError } from './error-handler.ts';
import { logRequests } from './request-log.ts';
import { rewriteUrl } from './rewrite-url.ts';

/** Bytes of a JSON body. The largest request is a question of 4,000 characters. */
const BODY_LIMIT = 128 * 1024;

/** Creates the Fastify instance with its limits, log and error format, without routes. */
export function createServer(config: Config, logTo: { write(line: string): void }): FastifyInstance {
  const app = fastify({
    logger: { level: config.logLevel, stream: logTo, serializers: { err: errorForLog } },
    // http/request-log writes one line for each response.
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => randomUUID(),
    trustProxy: config.trustProxy,
    bodyLimit: BODY_LIMIT,
    // 40 MB take long on a slow line. http/forms cuts off senders that are slower than that.
    requestTimeout: 20 * MINUTE,
    // A client that sends its headers in pieces holds a connection until the next check.
    http: { headersTimeout: 15 * SECOND, connectionsCheckingInterval: 5 * SECOND },
    rewriteUrl,
    // The router's own refusals, such as an overlong parameter.
    frameworkErrors: answerError,
    clientErrorHandler: answerClientError,
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 300 },
  }).withTypeProvider<ZodTypeProvider>();
  app.setValidatorCompiler(validatorCompiler);
  app.setSerializerCompiler(serializerCompiler);
  app.removeContentTypeParser('text/plain');
  app.decorateRequest('identity', null);
  app.setErrorHandler(answerError);
  logRequests(app);
  return app;
}
