import { setTimeout as pause } from 'node:timers/promises';
import type { Attack } from '#tests/attack/attack.ts';
import { addressIn } from '#tests/attack/client.ts';
import { openRawSocket, type RawSocket } from '#tests/attack/raw-socket.ts';

const SOCKETS = 3;
const MAX_PACKETS = 400_000;
const BURST = 500;
/** Time for the server to notice a slow reader, ms. */
const CLOSE_TIMEOUT_MS = 10_000;

/** Requests an acknowledgement with every packet and never reads one. */
async function flood(socket: RawSocket, signal: AbortSignal): Promise<number> {
  socket.stopReading();
  let sent = 0;
  while (socket.isOpen && !signal.aborted && sent < MAX_PACKETS / SOCKETS) {
    for (let packet = 0; packet < BURST; packet++) socket.send(`42${sent + packet}["chat_message",{}]`);
    sent += BURST;
    await Promise.race([socket.drained(), pause(1_000)]);
    await pause(1);
  }
  for (let waited = 0; waited < CLOSE_TIMEOUT_MS && socket.isOpen && !signal.aborted; waited += 100) await pause(100);
  return sent;
}

export const deafSockets: Attack = {
  name: 'sockets that never read',
  async run({ client, attackers: [attacker], signal }) {
    const open = () => openRawSocket(client.url, { token: attacker?.accessToken ?? '', from: addressIn(1, 1) });
    const sockets = await Promise.all(Array.from({ length: SOCKETS }, open));
    const connected = sockets.filter(({ isOpen }) => isOpen).length;
    const sent = await Promise.all(sockets.map((socket) => flood(socket, signal)));
    const left = sockets.filter(({ isOpen }) => isOpen).length;
    for (const socket of sockets) socket.close();
    const tries = sent.reduce((sum, packets) => sum + packets, 0);
    return { tries, isHeld: connected === SOCKETS && left === 0, evidence: `${left} of ${connected} still connected` };
  },
};
