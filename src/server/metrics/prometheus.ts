import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { Parts } from '../parts.ts';
import { createDatabaseFigures, type DatabaseFigures } from './database-figures.ts';
import { type Measurements, onMeasured } from './measurements.ts';

/** Upper bounds of durations, seconds. */
const REQUEST_BUCKETS = [0.005, 0.02, 0.1, 0.5, 2, 10];
const ANSWER_BUCKETS = [0.1, 0.5, 2, 5, 15, 60, 180];
const CALL_BUCKETS = [0.05, 0.2, 1, 5, 10];

/** Methods that count by name. A request may name any other. */
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

const LISTENER: Figure<'listener'>[] = [
  {
    name: 'tidemark_listener_up',
    help: 'Whether changes of other processes arrive: 1 or 0.',
    pick: ({ isListening }) => Number(isListening),
  },
  {
    name: 'tidemark_listener_losses',
    help: 'How often the connection for changes of other processes was lost.',
    pick: ({ lostCount }) => lostCount,
  },
];
const LIMITS: Figure<'limits'>[] = [
  {
    name: 'tidemark_limits_shared',
    help: 'Whether limits count for all processes: 1, or 0 while the store is away and each process counts alone.',
    pick: ({ isShared }) => Number(isShared),
  },
];
const MARKET_LEADER: Figure<'marketLeader'>[] = [
  {
    name: 'tidemark_market_leader',
    help: 'Whether this process asks the market provider for all processes: 1 or 0.',
    pick: ({ isLeader }) => Number(isLeader),
  },
];
const CLOCK: Figure<'clock'>[] = [
  {
    name: 'tidemark_clock_ahead_seconds',
    help: "How far the clock of this process is ahead of PostgreSQL's; negative where it is behind.",
    pick: ({ aheadSeconds }) => aheadSeconds,
  },
];

interface Request {
  method: string;
  /** Pattern of the route; undefined if none matches. */
  route: string | undefined;
  status: number;
  seconds: number;
}

export interface Prometheus {
  /** Content type of a scrape. */
  contentType: string;
  /** Returns all metrics as text. */
  scrape(): Promise<string>;
  countRequest(request: Request): void;
  /** Ends the subscriptions. */
  close(): void;
}

/** Creates the process's metrics. `report` receives why figures could not be read from the database. */
export function createPrometheus({ config, db, pool, clock, payments }: Parts, report: (error: unknown) => void): Prometheus {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  const figures = createDatabaseFigures({ db, config, clock, store: payments.kind, report });
  // Before the figures, whose own query waits for a connection while they are read.
  addPool(registry, pool);
  addDatabaseFigures(registry, figures.read);

  const requests = new Histogram({
    name: 'tidemark_http_request_duration_seconds',
    help: 'Time to answer requests, by pattern of the route and class of the status.',
    labelNames: ['method', 'route', 'status'],
    buckets: REQUEST_BUCKETS,
    registers,
  });
  const ends = subscribeAll(registry);

  return {
    contentType: registry.contentType,
    scrape: () => registry.metrics(),
    countRequest({ method, route = 'none', status, seconds }) {
      const labels = { method: METHODS.has(method) ? method : 'other', route, status: `${Math.floor(status / 100)}xx` };
      requests.observe(labels, seconds);
    },
    close() {
      for (const end of ends) end();
      registry.clear();
    },
  };
}

/** Adds the metrics of what the server's parts measure. Returns functions that end the subscriptions. */
function subscribeAll(registry: Registry): (() => void)[] {
  const registers = [registry];
  const answers = new Histogram({
    name: 'tidemark_answer_duration_seconds',
    help: 'Time of work on answers to questions, by outcome.',
    labelNames: ['outcome'],
    buckets: ANSWER_BUCKETS,
    registers,
  });
  const sockets = new Gauge({ name: 'tidemark_sockets', help: 'Sockets of signed-in users, open in this process.', registers });
  const exchangeCalls = new Histogram({
    name: 'tidemark_exchange_call_duration_seconds',
    help: 'Time of calls to exchanges, by outcome.',
    labelNames: ['exchange', 'outcome'],
    buckets: CALL_BUCKETS,
    registers,
  });
  const providerCalls = new Counter({
    name: 'tidemark_provider_calls_total',
    help: 'Calls to providers of market data, answers, mail, payments and pictures, by outcome.',
    labelNames: ['provider', 'outcome'],
    registers,
  });
  const deliveries = new Counter({
    name: 'tidemark_deliveries_total',
    help: 'Attempts to send notifications, by channel and outcome.',
    labelNames: ['channel', 'outcome'],
    registers,
  });
  return [
    onMeasured('delivery', (labels) => deliveries.inc(labels)),
    onMeasured('answer', ({ outcome, seconds }) => answers.observe({ outcome }, seconds)),
    onMeasured('sockets', ({ change }) => sockets.inc(change)),
    onMeasured('exchangeCall', ({ exchange, outcome, seconds }) => exchangeCalls.observe({ exchange, outcome }, seconds)),
    onMeasured('providerCall', (labels) => providerCalls.inc(labels)),
    addModelUse(registry),
    addExchangeBudgets(registry),
    addLatest(registry, 'listener', LISTENER),
    addLatest(registry, 'limits', LIMITS),
    addLatest(registry, 'marketLeader', MARKET_LEADER),
    addLatest(registry, 'clock', CLOCK),
  ];
}

/** Adds what requests to a language model used. */
function addModelUse(registry: Registry): () => void {
  const registers = [registry];
  const tokens = new Counter({
    name: 'tidemark_model_tokens_total',
    help: 'Tokens of requests to the language model, as it counts them, else estimated.',
    labelNames: ['direction'],
    registers,
  });
  const dollars = new Counter({
    name: 'tidemark_model_cost_dollars_total',
    help: 'Cost of requests to the language model at the prices in the settings.',
    registers,
  });
  return onMeasured('modelUse', ({ input, output, dollars: cost }) => {
    tokens.inc({ direction: 'input' }, input);
    tokens.inc({ direction: 'output' }, output);
    dollars.inc(cost);
  });
}

interface Figure<Kind extends keyof Measurements> {
  name: string;
  help: string;
  pick: (state: Measurements[Kind]) => number;
}

/** Adds figures of a state. There are none until it is measured, as in a process that is alone. */
function addLatest<Kind extends keyof Measurements>(registry: Registry, kind: Kind, figures: readonly Figure<Kind>[]): () => void {
  let latest: Measurements[Kind] | undefined;
  for (const { name, help, pick } of figures) {
    new Gauge({
      name,
      help,
      registers: [registry],
      collect() {
        if (latest) this.set(pick(latest));
        else this.remove();
      },
    });
  }
  return onMeasured(kind, (state) => {
    latest = state;
  });
}

/** Adds what the current windows of the exchanges' limits have left. A window that has ended has all of it. */
function addExchangeBudgets(registry: Registry): () => void {
  const windows = new Map<string, { left: number; max: number; endsAt: number }>();
  new Gauge({
    name: 'tidemark_exchange_budget_left',
    help: 'Requests and connections that an exchange still allows in the current window; 0 while some must wait.',
    labelNames: ['budget'],
    registers: [registry],
    collect() {
      for (const [budget, { left, max, endsAt }] of windows) this.set({ budget }, Date.now() < endsAt ? left : max);
    },
  });
  return onMeasured('exchangeBudget', ({ budget, ...window }) => void windows.set(budget, window));
}

/** Adds the connections of the PostgreSQL pool. The embedded database has none. */
function addPool(registry: Registry, pool: Parts['pool']): void {
  new Gauge({
    name: 'tidemark_database_pool_connections',
    help: 'Connections of the pool: all, and those that are idle. `waiting` counts queries without a connection.',
    labelNames: ['state'],
    registers: [registry],
    collect() {
      if (!pool) return;
      const { totalCount: total, idleCount: idle, waitingCount: waiting } = pool;
      for (const [state, count] of Object.entries({ total, idle, waiting })) this.set({ state }, count);
    },
  });
}

/** Adds the figures that all processes on the database share. They are absent while it cannot be read. */
function addDatabaseFigures(registry: Registry, read: () => Promise<DatabaseFigures | undefined>): void {
  const gauge = (name: string, label: string, help: string, pick: (figures: DatabaseFigures) => Readonly<Record<string, number>>) =>
    new Gauge({
      name,
      help,
      labelNames: [label],
      registers: [registry],
      async collect() {
        const figures = await read();
        this.reset();
        for (const [value, count] of Object.entries(figures ? pick(figures) : {})) this.set({ [label]: value }, count);
      },
    });
  new Gauge({
    name: 'tidemark_database_up',
    help: 'Whether the figures that are read from the database could be read: 1 or 0.',
    registers: [registry],
    async collect() {
      this.set((await read()) ? 1 : 0);
    },
  });
  gauge('tidemark_queue_oldest_seconds', 'queue', 'Age of the oldest item that waits in a queue; 0 if none waits.', ({ ages }) => ages);
  gauge('tidemark_bots', 'state', 'Trading bots by state; above 100,000 estimated.', ({ bots }) => bots);
  gauge('tidemark_pictures', 'kind', 'Stored pictures by kind; above 100,000 estimated.', ({ pictures }) => pictures.counts);
  gauge(
    'tidemark_pictures_bytes',
    'kind',
    'Bytes of stored pictures by kind; above 100,000 pictures estimated.',
    ({ pictures }) => pictures.bytes,
  );
  gauge('tidemark_market_credits_left', 'kind', 'Credits of the market data provider left until midnight UTC.', ({ credits }) => credits);
}
