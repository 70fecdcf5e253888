import { whenBack } from '../db/when-back.ts';
import type { Change } from '../fan-out/fan-out.ts';
import type { Sessions } from '../modules/accounts/sessions/sessions.ts';
import type { Send } from './send-events.ts';
import { type RealtimeServer, type RealtimeSocket, roomOf } from './server.ts';

/** Events that wait. Sockets of further ones are told to reload. */
const MAX_WAITING = 1_000;
const MAX_BATCH = 250;

/** An event of this process, or the change of another one that it is read from. */
type Delivery = { userId: string } & ({ send: Send } | { change: Change });

interface Parts {
  io: RealtimeServer;
  sessions: Pick<Sessions, 'findEnded' | 'endHere'>;
  /** Reads the events of changes. */
  read: (changes: readonly Change[]) => Promise<Map<Change, Send>>;
  /** Tells sockets to reload. */
  tellMissed: (sockets: readonly RealtimeSocket[]) => void;
  report: (error: unknown) => void;
}

/**
 * Delivers events to users' sockets beside other processes, in order and in batches. Each batch first looks up which of the
 * sockets' sessions have ended, so that no socket of an ended session receives an event that was committed later.
 */
export function createDeliveries({ io, sessions, read, tellMissed, report }: Parts) {
  const { sockets, adapter } = io.of('/');
  let waiting: Delivery[] = [];
  let isRunning = false;
  let isClosed = false;
  /** Users who missed an event. */
  const behind = new Set<string>();

  const socketsOf = (userId: string): RealtimeSocket[] =>
    [...(adapter.rooms.get(roomOf(userId)) ?? [])].flatMap((id) => sockets.get(id) ?? []);

  async function deliver(batch: readonly Delivery[]): Promise<void> {
    const changes = batch.flatMap((delivery) => ('change' in delivery ? [delivery.change] : []));
    const held = new Map([...new Set(batch.map(({ userId }) => userId))].map((userId) => [userId, socketsOf(userId)]));
    const sessionIds = new Set([...held.values()].flat().map(({ data }) => data.identity.sessionId));
    for (const { kind, id } of changes) if (kind === 'ended-session') sessionIds.add(id);
    const look = () => Promise.all([sessions.findEnded([...sessionIds]), read(changes)]);
    const [ended, sends] = await whenBack(look, () => isClosed);
    sessions.endHere(ended);
    const hasEnded = new Set(ended);
    for (const delivery of batch) {
      const send = 'send' in delivery ? delivery.send : sends.get(delivery.change);
      const open = held.get(delivery.userId)?.filter(({ connected, data }) => connected && !hasEnded.has(data.identity.sessionId)) ?? [];
      // Without a room, socket.io would send to everybody.
      if (send && open.length > 0) send(io.to(open.map(({ id }) => id)));
    }
  }

  async function run(): Promise<void> {
    isRunning = true;
    // An answer and its title share a batch.
    await new Promise(setImmediate);
    while (waiting.length > 0 && !isClosed) {
      const batch = waiting.slice(0, MAX_BATCH);
      waiting = waiting.slice(MAX_BATCH);
      await deliver(batch).catch((error: unknown) => {
        if (!isClosed) report(error);
        for (const { userId } of batch) behind.add(userId);
      });
    }
    isRunning = false;
    for (const userId of behind) tellMissed(socketsOf(userId));
    behind.clear();
  }

  /** Queues an event, unless its user has no socket here. */
  function add(delivery: Delivery): void {
    const isForAll = 'change' in delivery && delivery.change.kind === 'ended-session';
    if (isClosed || (!isForAll && !adapter.rooms.has(roomOf(delivery.userId)))) return;
    if (waiting.length >= MAX_WAITING) behind.add(delivery.userId);
    else waiting.push(delivery);
    if (!isRunning) void run();
  }

  return {
    deliver: (userId: string, send: Send) => add({ userId, send }),
    onChange: (change: Change) => add({ userId: change.userId, change }),
    close() {
      isClosed = true;
    },
  };
}
