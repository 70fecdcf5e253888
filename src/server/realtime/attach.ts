import type { FastifyInstance } from 'fastify';
import { Server } from 'socket.io';
import { SOCKET_PATH } from '#contract/paths.ts';
import { type Clock, MINUTE } from '#domain/clock.ts';
import type { Audit } from '../audit.ts';
import type { Config } from '../config.ts';
import type { FanOut } from '../fan-out/fan-out.ts';
import { problemOf } from '../http/error-handler.ts';
import { tooMany, unauthorized } from '../http/errors.ts';
import type { Draining } from '../lifecycle/draining.ts';
import type { Limits } from '../limits/limits.ts';
import type { Sessions } from '../modules/accounts/sessions/sessions.ts';
import type { Archives } from '../modules/archives/service.ts';
import { QUESTIONS_A_MINUTE } from '../modules/chat/ask-question.ts';
import type { ChatEvents } from '../modules/chat/events.ts';
import type { Conversations } from '../modules/chat/service.ts';
import type { CoinTickFeeds } from '../modules/market/ticks.ts';
import type { Notifications } from '../modules/notifications/service.ts';
import { sendCoinTicks } from './coin-ticks.ts';
import { createConnectionLimits } from './connection-limits.ts';
import { endSocket, endSpread } from './end-socket.ts';
import { followProcesses } from './follow-processes.ts';
import { originAllowed } from './origin.ts';
import { createPeerNetworks } from './peer-network.ts';
import { type Send, sendEvents } from './send-events.ts';
import { type RealtimeServer, type RealtimeSocket, roomOf, sessionRoomOf } from './server.ts';
import { takeQuestions } from './take-questions.ts';
import { guardConnections } from './traffic-guard.ts';

/** Far above a question of 4,000 characters. Pictures are sent over HTTP. */
const MAX_MESSAGE_BYTES = 64 * 1024;
/** Time limit for a connection to authenticate, ms. */
const CONNECT_TIMEOUT = 10_000;
/** A scrolled list reports its visible coins several times a second. */
const WATCHES_A_MINUTE = 300;

interface Parts {
  config: Pick<Config, 'publicUrl' | 'allowedOrigins' | 'trustProxy' | 'maxSockets' | 'databaseUrl'>;
  sessions: Pick<Sessions, 'authenticate' | 'onEnded' | 'findEnded' | 'endHere'>;
  conversations: Pick<Conversations, 'ask' | 'readResponses' | 'checkClaim'>;
  archives: Pick<Archives, 'readTitles'>;
  events: ChatEvents;
  notifications: Pick<Notifications, 'onNotified' | 'read'>;
  fanOut: Pick<FanOut, 'listen'>;
  ticks: CoinTickFeeds;
  audit: Audit;
  clock: Clock;
  draining: Draining;
  limits: Limits;
}

/** Serves the socket on the app's HTTP server until it closes. */
export function attachRealtime(app: FastifyInstance, parts: Parts): void {
  const { config, sessions, conversations, ticks, audit, clock, draining, limits } = parts;
  const report = (err: unknown) => app.log.error({ err }, 'socket failed');
  const questions = limits.counter('questions', { max: QUESTIONS_A_MINUTE, span: MINUTE });
  const watches = limits.counter('watched coins', { max: WATCHES_A_MINUTE, span: MINUTE });
  const ignored = (reason: string) => app.log.debug({ reason }, 'coins to watch ignored');
  const networksOfPeer = createPeerNetworks(config.trustProxy);
  const connections = createConnectionLimits({ ...config.maxSockets, networksOfPeer, limits });

  const io = listen(app, config, connections.admit);
  const guard = guardConnections(io, {
    clock,
    onCut: ({ request }, about) => audit.note('socket-cut', { network: networksOfPeer(request).wide, about }),
  });
  authenticateSockets(io, { sessions, mayJoin: connections.mayJoin, onSecond: ({ conn }) => guard.cut(conn, 'second connect'), report });

  io.on('connection', (socket) => {
    const { userId, sessionId } = socket.data.identity;
    void socket.join([roomOf(userId), sessionRoomOf(sessionId)]);
    const displaced = connections.take(socket);
    if (displaced) {
      displaced.emit('displaced');
      endSocket(displaced);
    }
    endWithToken(socket, clock);
    takeQuestions(socket, {
      ask: conversations.ask,
      authenticate: sessions.authenticate,
      allow: (userId) => questions(userId).isAllowed,
      report,
    });
    sendCoinTicks(socket, { ticks, allow: (userId) => watches(userId).isAllowed, ignored });
  });

  const others = config.databaseUrl ? followProcesses(app, { io, sessions, sources: parts, fanOut: parts.fanOut }) : undefined;
  const deliverHere = (userId: string, send: Send) => send(io.to(roomOf(userId)));
  sendEvents(parts, others?.deliver ?? deliverHere);

  const { sockets, adapter } = io.of('/');
  const stopListening = sessions.onEnded((sessionId) => {
    for (const id of adapter.rooms.get(sessionRoomOf(sessionId)) ?? []) {
      const socket = sockets.get(id);
      if (socket) endSocket(socket);
    }
  });

  draining.onMove((time) => endSpread([...sockets.values()], time));
  app.addHook('preClose', async () => {
    stopListening();
    others?.stop();
    guard.stop();
    io.disconnectSockets(true);
    io.engine.close();
  });
}

/** Creates the socket.io server: WebSocket only, allowed origins only, one handshake per connection. */
function listen(
  app: FastifyInstance,
  { publicUrl, allowedOrigins }: Pick<Config, 'publicUrl' | 'allowedOrigins'>,
  admit: ReturnType<typeof createConnectionLimits>['admit'],
): RealtimeServer {
  const origins = new Set([new URL(publicUrl).origin, ...allowedOrigins]);
  const io: RealtimeServer = new Server(app.server, {
    path: SOCKET_PATH,
    serveClient: false,
    transports: ['websocket'],
    maxHttpBufferSize: MAX_MESSAGE_BYTES,
    perMessageDeflate: false,
    connectTimeout: CONNECT_TIMEOUT,
    allowRequest: (request, decide) => decide(null, originAllowed(request, origins) && admit(request)),
  });
  // A handshake with a `sid` would move a connection to another WebSocket, past `allowRequest` and the connection limits.
  // `_query` is what engine.io itself reads; another parser might miss an id.
  io.engine.use(({ _query }: { _query?: Record<string, string> }, _response: unknown, next: (error?: Error) => void) =>
    next(_query?.sid === undefined ? undefined : new Error('No upgrade of a connection.')),
  );
  return io;
}

interface Authentication {
  sessions: Pick<Sessions, 'authenticate'>;
  /** Returns false for a user who connects too often. */
  mayJoin: (userId: string) => boolean;
  /** Called when a connection tries to join a second time. */
  onSecond: (socket: RealtimeSocket) => void;
  report: (error: unknown) => void;
}

/** Admits sockets with a valid access token. Each connection has one try. */
function authenticateSockets(io: RealtimeServer, { sessions, mayJoin, onSecond, report }: Authentication): void {
  const tried = new WeakSet<RealtimeSocket['client']>();

  async function identify({ token }: Record<string, unknown>) {
    if (typeof token !== 'string') throw unauthorized();
    const identity = await sessions.authenticate(token);
    if (!mayJoin(identity.userId)) throw tooMany();
    return { identity, token };
  }

  io.use((socket, next) => {
    if (tried.has(socket.client)) return onSecond(socket);
    tried.add(socket.client);
    identify(socket.handshake.query).then(
      (known) => {
        Object.assign(socket.data, known);
        next();
      },
      (error: unknown) => {
        const problem = problemOf(error);
        if (!problem) report(error);
        next(Object.assign(new Error(problem?.message ?? 'Please try again.'), { data: { code: problem?.code ?? 'internal' } }));
        // Close after the refusal is written.
        setImmediate(() => socket.conn.close());
      },
    );
  });
}

/** Closes a socket when its access token expires; the client reconnects with a new one. */
function endWithToken(socket: RealtimeSocket, clock: Clock): void {
  const timer = setTimeout(() => endSocket(socket), socket.data.identity.expiresAt - clock());
  socket.on('disconnect', () => clearTimeout(timer));
}
