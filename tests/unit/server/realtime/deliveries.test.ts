import { expect, test, vi } from 'vitest';
import type { Change } from '#server/fan-out/fan-out.ts';
import { createDeliveries } from '#server/realtime/deliveries.ts';
import type { Send } from '#server/realtime/send-events.ts';
import { type RealtimeServer, roomOf } from '#server/realtime/server.ts';
import { createGate } from '#tests/support/create-gate.ts';

const socketOf = (id: string, sessionId: string) => ({ id, connected: true, data: { identity: { sessionId } } });

/** Creates deliveries for the sockets of one user, and records what is sent to which. */
function deliveriesFor(userId: string, { findEnded = async () => [] as string[], read = async () => new Map<Change, Send>() } = {}) {
  const sockets = new Map([socketOf('one', 'open'), socketOf('two', 'ended')].map((socket) => [socket.id, socket]));
  const adapter = { rooms: new Map([[roomOf(userId), new Set(sockets.keys())]]) };
  const sent: string[][] = [];
  const emit = () => true;
  const io = { of: () => ({ sockets, adapter }), to: (ids: string[]) => ({ emit: () => sent.push(ids) && emit() }) };
  const [tellMissed, endHere, report] = [vi.fn(), vi.fn(), vi.fn()];
  const sessions = { findEnded: vi.fn(findEnded), endHere };
  return {
    ...createDeliveries({ io: io as unknown as RealtimeServer, sessions, read, tellMissed, report }),
    sent,
    tellMissed,
    sessions,
    report,
  };
}

const send: Send = (to) => to.emit('missed');

test('an event goes to the sockets whose sessions are open, and ends the others', async () => {
  const { deliver, sent, sessions } = deliveriesFor('ada', { findEnded: async () => ['ended'] });
  deliver('ada', send);
  await vi.waitFor(() => expect(sent).toEqual([['one']]));
  expect(sessions.endHere).toHaveBeenCalledWith(['ended']);
});

test('a user without a socket here costs nothing', async () => {
  const { deliver, onChange, sessions } = deliveriesFor('ada');
  deliver('bob', send);
  onChange({ userId: 'bob', kind: 'answer', id: '1' });
  expect(sessions.findEnded).not.toHaveBeenCalled();
});

test('of a flood, the first events arrive, and the sockets are told once that they missed the rest', async () => {
  const gate = createGate();
  const findEnded = async () => {
    await gate.passed;
    return [];
  };
  const { deliver, sent, tellMissed } = deliveriesFor('ada', { findEnded });
  for (let each = 0; each < 20_000; each++) deliver('ada', send);
  gate.open();
  await vi.waitFor(() => expect(tellMissed).toHaveBeenCalledOnce());
  expect(sent.length).toBeGreaterThanOrEqual(1_000);
  expect(sent.length).toBeLessThanOrEqual(1_250);
});

test('after a batch that cannot be read, the sockets are told that they missed something', async () => {
  const read = () => Promise.reject(new Error('broken'));
  const { onChange, tellMissed, report } = deliveriesFor('ada', { read });
  onChange({ userId: 'ada', kind: 'answer', id: '1' });
  await vi.waitFor(() => expect(tellMissed).toHaveBeenCalledOnce());
  expect(report).toHaveBeenCalledOnce();
});
