import proxyAddr from '@fastify/proxy-addr';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { HEALTH_PATH, READY_PATH } from '#contract/paths.ts';
import type { Config } from '../config.ts';
import { setTracer } from './spans.ts';
import { readTraceparent } from './trace-context.ts';
import type { TracerLimits } from './tracing-settings.ts';

/** Requests of probes say nothing and come all the time. */
const PROBES = new Set(['/metrics', HEALTH_PATH, READY_PATH]);

/** Traces requests and what they cause, where OTEL_EXPORTER_OTLP_ENDPOINT names a collector. Without it, loads and does nothing. */
export async function attachTracing(
  app: FastifyInstance,
  { tracing, trustProxy, role }: Pick<Config, 'tracing' | 'trustProxy' | 'role'>,
  limits?: TracerLimits,
): Promise<void> {
  if (!tracing) return;
  const { openTracer } = await import('./open-tracer.ts');
  const tracer = openTracer({ ...tracing, ...limits, role }, app.log);
  setTracer(tracer);
  const trusts = trustProxy ? proxyAddr.compile(trustProxy) : () => false;
  const parentOf = ({ headers, raw }: FastifyRequest) =>
    trusts(raw.socket.remoteAddress ?? '', 0) ? readTraceparent(headers.traceparent) : undefined;
  const ends = new WeakMap<FastifyRequest, ReturnType<typeof tracer.begin>>();

  app.addHook('onRequest', (request, _reply, done) => {
    const { method, routeOptions, id } = request;
    const route = routeOptions.url;
    if (route !== undefined && PROBES.has(route)) return done();
    const attributes = { 'http.request.method': method, 'tidemark.request_id': id, ...(route !== undefined && { 'http.route': route }) };
    const span = tracer.begin(route === undefined ? method : `${method} ${route}`, { kind: 'server', attributes }, parentOf(request));
    ends.set(request, span);
    span.run(done);
  });
  // Reading a body leaves the context of the request.
  app.addHook('preValidation', (request, _reply, done) => {
    const span = ends.get(request);
    if (span) span.run(done);
    else done();
  });
  app.addHook('onResponse', async (request, { statusCode }) => {
    ends.get(request)?.end({ 'http.response.status_code': statusCode }, statusCode >= 500 ? `HTTP ${statusCode}` : undefined);
  });
  app.addHook('onClose', async () => {
    setTracer(undefined);
    await tracer.close();
  });
}
