import type { IncomingMessage } from 'node:http';
import { type Clock, MINUTE } from '#domain/clock.ts';
import type { Networks } from '../http/network.ts';
import { createRateLimit } from './rate-limit.ts';
import type { RealtimeSocket } from './server.ts';

/** Connections that one user or network may open in a minute, for each that it may hold. */
const OPENED_PER_PLACE = 6;
/** Places of a neighbourhood (an IPv4 /24, an IPv6 /48), in those of one network. */
const NETWORKS_A_NEIGHBOURHOOD = 10;

interface Options {
  perUser: number;
  perNetwork: number;
  networksOfPeer: (request: IncomingMessage) => Networks;
  clock: Clock;
}

/** Bounds how many sockets each user and each network holds in this process, and how many they open in a minute. */
export function createPlaces({ perUser, perNetwork, networksOfPeer, clock }: Options) {
  const users = new Map<string, Set<RealtimeSocket>>();
  const mayJoin = createRateLimit({ limit: perUser * OPENED_PER_PLACE, span: MINUTE, clock });
  const narrow = createNetworkPlaces(perNetwork, clock);
  const wide = createNetworkPlaces(perNetwork * NETWORKS_A_NEIGHBOURHOOD, clock);

  return {
    /** Takes a place of the peer's networks until the TCP connection closes, so that a connection without a user counts too. */
    admit(request: IncomingMessage): boolean {
      const networks = networksOfPeer(request);
      if (request.socket.destroyed || !narrow.has(networks.narrow) || !wide.has(networks.wide)) return false;
      const leave = [narrow.take(networks.narrow), wide.take(networks.wide)];
      request.socket.once('close', () => {
        for (const give of leave) give();
      });
      return true;
    },

    /** Whether the user may open another socket this minute. */
    mayJoin,

    /**
     * Takes a place of the user until the socket disconnects.
     * @returns the socket that has to go for it: the oldest of the same session, else the user's oldest
     */
    take(socket: RealtimeSocket): RealtimeSocket | undefined {
      const { userId, sessionId } = socket.data.identity;
      const mine = users.get(userId) ?? new Set();
      users.set(userId, mine);
      const others = [...mine];
      mine.add(socket);
      socket.once('disconnect', () => {
        mine.delete(socket);
        if (mine.size === 0 && users.get(userId) === mine) users.delete(userId);
      });
      if (others.length < perUser) return undefined;
      return others.find(({ data }) => data.identity.sessionId === sessionId) ?? others[0];
    },
  };
}

/** Counts the connections of networks of one size, `max` for each at a time. */
function createNetworkPlaces(max: number, clock: Clock) {
  const held = new Map<string, number>();
  const mayOpen = createRateLimit({ limit: max * OPENED_PER_PLACE, span: MINUTE, clock });

  return {
    has: (network: string): boolean => (held.get(network) ?? 0) < max && mayOpen(network),

    /** Returns what gives the place back. */
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
