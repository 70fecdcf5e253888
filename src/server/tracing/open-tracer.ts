import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import { type Context, ROOT_CONTEXT, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  BasicTracerProvider,
  BatchSpanProcessor,
  ParentBasedSampler,
  type SpanExporter,
  TraceIdRatioBasedSampler,
} from '@opentelemetry/sdk-trace-base';
import type { FastifyBaseLogger } from 'fastify';
import { withDeadline } from '../with-deadline.ts';
import type { Attributes, SpanOptions, Tracer } from './spans.ts';
import type { ParentSpan } from './trace-context.ts';
import type { TracerLimits, TracingSettings } from './tracing-settings.ts';

/** Address of a collector below its base, by the OTLP specification. */
const TRACES = 'v1/traces';
/** Bounds of what a span may hold. */
const SPAN_LIMITS = { attributeCountLimit: 16, attributeValueLengthLimit: 1000, eventCountLimit: 0, linkCountLimit: 0 };
/** Spans that wait for the collector. Further ones are dropped: a collector that is away must not fill the memory. */
const QUEUE_SIZE = 2048;
/** Batches on their way at once. The server's end sends the whole queue while others, which the processor has given up, may be unanswered. */
const MAX_BATCHES = 5;
/** Default of `timeout`, ms. */
const EXPORT_TIMEOUT = 10_000;
/** Interval between two exports, ms. */
const EXPORT_INTERVAL = 2_000;
/** How long the last spans may take at the end of the process, ms. */
const CLOSE_LIMIT = 2_000;

interface TracerOptions extends TracingSettings, TracerLimits {
  role: string;
}

type Log = Pick<FastifyBaseLogger, 'info' | 'warn'>;

/** Opens the tracer, which sends spans to a collector by OTLP over HTTP. */
export function openTracer(
  { endpoint, headers, ratio, role, interval = EXPORT_INTERVAL, queueSize = QUEUE_SIZE, timeout = EXPORT_TIMEOUT }: TracerOptions,
  log: Log,
) {
  const exporter = new OTLPTraceExporter({
    url: new URL(TRACES, `${endpoint.replace(/\/+$/, '')}/`).href,
    headers: { ...headers },
    timeoutMillis: timeout,
    concurrencyLimit: MAX_BATCHES,
  });
  const provider = new BasicTracerProvider({
    resource: resourceFromAttributes({ 'service.name': 'tidemark', 'service.instance.id': randomUUID(), 'tidemark.role': role }),
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(ratio) }),
    spanLimits: SPAN_LIMITS,
    spanProcessors: [
      new BatchSpanProcessor(withReport(exporter, log), {
        maxQueueSize: queueSize,
        maxExportBatchSize: queueSize / (MAX_BATCHES - 1),
        scheduledDelayMillis: interval,
        exportTimeoutMillis: timeout,
      }),
    ],
  });
  const spans = provider.getTracer('tidemark');
  const contexts = new AsyncLocalStorage<Context>();

  /** Begins a span in the current one, or in one of another process. */
  function begin(name: string, { kind, attributes = {} }: SpanOptions, parent?: ParentSpan) {
    const outer = parent ? trace.setSpanContext(ROOT_CONTEXT, parent) : (contexts.getStore() ?? ROOT_CONTEXT);
    const kinds = { client: SpanKind.CLIENT, server: SpanKind.SERVER };
    const span = spans.startSpan(name, { kind: kind ? kinds[kind] : SpanKind.INTERNAL, attributes }, outer);
    const inner = trace.setSpan(outer, span);
    return {
      run: <T>(work: () => T): T => contexts.run(inner, work),
      /** @param failure why the work failed */
      end(more: Attributes = {}, failure?: string): void {
        span.setAttributes(more);
        if (failure !== undefined) span.setStatus({ code: SpanStatusCode.ERROR, message: failure });
        span.end();
      },
    };
  }

  async function inSpan<T>(name: string, options: SpanOptions, work: () => Promise<T>): Promise<T> {
    if (options.isPart && !contexts.getStore()) return work();
    const span = begin(name, options);
    try {
      const result = await span.run(work);
      span.end();
      return result;
    } catch (error) {
      span.end({}, kindOf(error));
      throw error;
    }
  }

  return {
    begin,
    inSpan,
    /** Sends the last spans, for a moment at most. */
    close: () => withDeadline(CLOSE_LIMIT, undefined, () => provider.shutdown()).catch(() => undefined),
  } satisfies Tracer & Record<string, unknown>;
}

/** Returns an error's kind and code. Its message may quote what was sent. */
function kindOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  const { code } = error as { code?: unknown };
  return typeof code === 'string' ? `${error.name} ${code.slice(0, 50)}` : error.name;
}

/** Logs when spans stop to arrive, and when they arrive again. */
function withReport(exporter: SpanExporter, log: Log): SpanExporter {
  let isAway = false;
  return {
    export(batch, done) {
      exporter.export(batch, (result) => {
        const hasFailed = result.code !== 0;
        if (hasFailed && !isAway) log.warn({ reason: kindOf(result.error) }, 'traces do not reach their collector');
        if (!hasFailed && isAway) log.info('traces reach their collector again');
        isAway = hasFailed;
        done(result);
      });
    },
    shutdown: () => exporter.shutdown(),
    forceFlush: async () => exporter.forceFlush?.(),
  };
}
