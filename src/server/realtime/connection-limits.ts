import type { IncomingMessage } from 'node:http';
import { MINUTE } from '#domain/clock.ts';
import type { Networks } from '../http/network.ts';
import type { Limits } from '../limits/limits.ts';
import { measure } from '../metrics/measurements.ts';
import type { RealtimeSocket } from './server.ts';

/** Connections per minute for each one that a user or network may hold. */
const OPENS_PER_MINUTE = 6;
/** Factor for a whole neighborhood (an IPv4 /24 or IPv6 /48). */
const NEIGHBORHOOD_FACTOR = 10;

interface Options {
  perUser: number;
  perNetwork: number;
  networksOfPeer: (request: IncomingMessage) => Networks;
  limits: Limits;
}

/** Limits open sockets of each user and network in this process, and new ones per minute in all processes. */
export function createConnectionLimits({ perUser, perNetwork, networksOfPeer, limits }: Options) {
  const users = new Map<string, Set<RealtimeSocket>>();
  const opensPerMinute = (name: string, max: number) => {
    const count = limits.counter(name, { max: max * OPENS_PER_MINUTE, span: MINUTE });
    return (key: string) => count(key).isAllowed;
  };
  const mayJoin = opensPerMinute('sockets of a user', perUser);
  const narrow = createNetworkLimits(perNetwork, opensPerMinute('sockets of a network', perNetwork));
  const most = perNetwork * NEIGHBORHOOD_FACTOR;
  const wide = createNetworkLimits(most, opensPerMinute('sockets of a neighborhood', most));

  return {
    /** Counts a connection for the peer's networks until it closes, so that unauthenticated connections count too. */
    admit(request: IncomingMessage): boolean {
      const networks = networksOfPeer(request);
      if (request.socket.destroyed || !narrow.has(networks.narrow) || !wide.has(networks.wide)) return false;
      const leave = [narrow.take(networks.narrow), wide.take(networks.wide)];
      request.socket.once('close', () => {
        for (const give of leave) give();
      });
      return true;
    },

    /** Returns whether the user may open another socket in this minute. */
    mayJoin,

    /** Counts a socket for its user. Returns the socket to close for it: the oldest of the session, or else of the user. */
    take(socket: RealtimeSocket): RealtimeSocket | undefined {
      const { userId, sessionId } = socket.data.identity;
      const mine = users.get(userId) ?? new Set();
      users.set(userId, mine);
      const others = [...mine];
      mine.add(socket);
      measure('sockets', { change: 1 });
      socket.once('disconnect', () => {
        measure('sockets', { change: -1 });
        mine.delete(socket);
        if (mine.size === 0 && users.get(userId) === mine) users.delete(userId);
      });
      if (others.length < perUser) return undefined;
      return others.find(({ data }) => data.identity.sessionId === sessionId) ?? others[0];
    },
  };
}

/** Limits each network to `max` open connections. */
function createNetworkLimits(max: number, mayOpen: (network: string) => boolean) {
  const held = new Map<string, number>();

  return {
    has: (network: string): boolean => (held.get(network) ?? 0) < max && mayOpen(network),

    /** Counts a connection. Returns a function that releases it. */
    take(network: string): () => void {
      held.set(network, (held.get(network) ?? 0) + 1);
      return () => {
        const left = (held.get(network) ?? 0) - 1;
        if (left > 0) held.set(network, left);
        else held.delete(network);
      };
    },
  };
}
