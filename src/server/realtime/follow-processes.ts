import type { FastifyInstance } from 'fastify';
import type { Change, FanOut } from '../fan-out/fan-out.ts';
import { followSessions } from '../modules/accounts/sessions/follow-sessions.ts';
import type { Sessions } from '../modules/accounts/sessions/sessions.ts';
import type { Conversations } from '../modules/chat/service.ts';
import { createDeliveries } from './deliveries.ts';
import { readChanges } from './read-changes.ts';
import type { RealtimeServer } from './server.ts';
import { createMissed } from './tell-missed.ts';

interface Parts {
  io: RealtimeServer;
  sessions: Pick<Sessions, 'findEnded' | 'endHere'>;
  sources: Parameters<typeof readChanges>[0] & { conversations: Pick<Conversations, 'checkClaim'> };
  fanOut: Pick<FanOut, 'listen'>;
}

/** Serves sockets beside other processes on the database: they hear what those change, and end with sessions that end there. */
export function followProcesses(app: FastifyInstance, { io, sessions, sources, fanOut }: Parts) {
  const { sockets } = io.of('/');
  const tellMissed = createMissed();
  const deliveries = createDeliveries({
    io,
    sessions,
    read: (changes) => readChanges(sources, changes),
    tellMissed,
    report: (err) => app.log.error({ err }, 'an event did not reach its sockets'),
  });
  const stopPolling = followSessions({
    sessions,
    held: () => [...new Set([...sockets.values()].map(({ data }) => data.identity.sessionId))],
    report: (err) => app.log.error({ err }, 'polling for ended sessions failed'),
  });
  const onGap = () => tellMissed([...sockets.values()]);
  const onChange = (change: Change) => {
    if (change.kind === 'answer') sources.conversations.checkClaim(change.id);
    deliveries.onChange(change);
  };
  app.addHook('onReady', () => fanOut.listen({ onChange, onGap }));

  return {
    deliver: deliveries.deliver,
    stop() {
      stopPolling();
      deliveries.close();
    },
  };
}
