import type { FastifyInstance } from 'fastify';
import { Server } from 'socket.io';
import { SOCKET_PATH } from '../../contract/paths';
import { type Clock, MINUTE } from '../../domain/clock';
import type { Config } from '../config';
import { problemOf } from '../http/error-handler';
import { unauthorized } from '../http/errors';
import type { Sessions } from '../modules/accounts/sessions/sessions';
import type { ChatEvents } from '../modules/chat/events';
import type { Chats } from '../modules/chat/service';
import type { CoinTickFeeds } from '../modules/market/ticks';
import type { Notifications } from '../modules/notifications/service';
import { sendCoinTicks } from './coin-ticks';
import { takeMessages } from './messages';
import { originAllowed } from './origin';
import { createRateLimit } from './rate-limit';
import { type RealtimeServer, type RealtimeSocket, roomOf, sessionRoomOf } from './server';

/** A question of 4,000 characters fits several times over; pictures travel over HTTP. */
const MAX_MESSAGE_BYTES = 64 * 1024;
const CONNECT_TIMEOUT = 10_000;
const QUESTIONS_A_MINUTE = 30;
/** A list that is scrolled says a few times a second what is on the screen. */
const WATCHES_A_MINUTE = 300;

interface Parts {
  config: Pick<Config, 'publicUrl' | 'allowedOrigins'>;
  sessions: Pick<Sessions, 'authenticate' | 'onEnded'>;
  chats: Pick<Chats, 'ask'>;
  events: ChatEvents;
  notifications: Pick<Notifications, 'onNotified'>;
  ticks: CoinTickFeeds;
  clock: Clock;
}

/** Serves the socket on the app's own HTTP server, for as long as the app runs. */
export function attachRealtime(app: FastifyInstance, { config, sessions, chats, events, notifications, ticks, clock }: Parts): void {
  const origins = new Set([new URL(config.publicUrl).origin, ...config.allowedOrigins]);
  const report = (err: unknown) => app.log.error({ err }, 'socket failed');
  const allow = createRateLimit({ limit: QUESTIONS_A_MINUTE, span: MINUTE, clock });
  const allowWatch = createRateLimit({ limit: WATCHES_A_MINUTE, span: MINUTE, clock });
  const ignored = (reason: string) => app.log.debug({ reason }, 'coins to watch ignored');

  const io: RealtimeServer = new Server(app.server, {
    path: SOCKET_PATH,
    serveClient: false,
    transports: ['websocket'],
    maxHttpBufferSize: MAX_MESSAGE_BYTES,
    connectTimeout: CONNECT_TIMEOUT,
    allowRequest: (request, decide) => decide(null, originAllowed(request, origins)),
  });

  io.use((socket, next) => {
    const { token } = socket.handshake.query;
    const known = typeof token === 'string' ? sessions.authenticate(token) : Promise.reject(unauthorized());
    known.then(
      (identity) => {
        socket.data.identity = identity;
        socket.data.token = String(token);
        next();
      },
      (error: unknown) => {
        const problem = problemOf(error);
        if (!problem) report(error);
        next(Object.assign(new Error(problem?.message ?? 'Please try again.'), { data: { code: problem?.code ?? 'internal' } }));
      },
    );
  });

  io.on('connection', (socket) => {
    const { userId, sessionId } = socket.data.identity;
    void socket.join([roomOf(userId), sessionRoomOf(sessionId)]);
    endWithToken(socket, clock);
    takeMessages(socket, { ask: chats.ask, authenticate: sessions.authenticate, allow, report });
    sendCoinTicks(socket, { ticks, allow: allowWatch, ignored });
  });

  events.on('response', (userId, response) => io.to(roomOf(userId)).emit('chat_response', response));
  events.on('title', (userId, title) => io.to(roomOf(userId)).emit('generate_title_response', title));
  notifications.onNotified((userId, notification) => io.to(roomOf(userId)).emit('notification', notification));

  const stopListening = sessions.onEnded((sessionId) => io.in(sessionRoomOf(sessionId)).disconnectSockets(true));

  app.addHook('preClose', async () => {
    stopListening();
    io.disconnectSockets(true);
    io.engine.close();
  });
}

/** Ends a socket with its access token; the client comes back with a fresh one. */
function endWithToken(socket: RealtimeSocket, clock: Clock): void {
  const timer = setTimeout(() => socket.disconnect(true), socket.data.identity.expiresAt - clock());
  socket.on('disconnect', () => clearTimeout(timer));
}
