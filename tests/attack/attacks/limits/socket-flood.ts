import { setTimeout as pause } from 'node:timers/promises';
import type { Attack } from '#tests/attack/attack.ts';
import { addressIn } from '#tests/attack/client.ts';
import { openRawSocket, type RawSocket } from '#tests/attack/raw-socket.ts';

/** Limits on open sockets. */
const MAX_BY_USER = 10;
const MAX_BY_NETWORK = 50;
const MAX_PACKETS = 50_000;
const OPENED = 70;
const CLOSED_WITHIN_MS = 3_000;

const open = (sockets: readonly RawSocket[]) => sockets.filter(({ isOpen }) => isOpen).length;
const taken = (sockets: readonly RawSocket[]) => sockets.filter(({ isTaken }) => isTaken);

/** Counts the sockets that stay open after the server had time to close the others. */
async function settled(sockets: readonly RawSocket[], most: number): Promise<number> {
  for (let waited = 0; waited < CLOSED_WITHIN_MS && open(sockets) > most; waited += 100) await pause(100);
  return open(sockets);
}

export const socketFlood: Attack = {
  name: 'too many sockets and packets',
  async run({ client, attackers, signal }) {
    const [first, ...others] = attackers;
    const mine: RawSocket[] = [];
    // One user from many networks.
    for (let index = 0; index < OPENED && !signal.aborted; index++)
      mine.push(await openRawSocket(client.url, { token: first?.accessToken ?? '', from: addressIn(0x200 + index, 1) }));
    const byUser = await settled(taken(mine), MAX_BY_USER);
    for (const socket of mine) socket.close();

    // One network with other users, and with sockets that never sign in.
    const theirs: RawSocket[] = [];
    for (let index = 0; index < OPENED && !signal.aborted; index++) {
      const token = others[index % others.length]?.accessToken ?? '';
      theirs.push(await openRawSocket(client.url, { token, from: addressIn(2, index), isConnected: index % 2 === 0 }));
    }
    const byNetwork = await settled(theirs, MAX_BY_NETWORK);
    for (const socket of theirs) socket.close();

    // A socket that reads and never stops sending.
    const talker = await openRawSocket(client.url, { token: others[0]?.accessToken ?? '', from: addressIn(3, 1) });
    let packets = 0;
    while (talker.isOpen && packets < MAX_PACKETS && !signal.aborted) {
      for (let index = 0; index < 200; index++) talker.send(`42["watch_coins",[${index}]]`);
      packets += 200;
      await talker.drained();
      await pause(1);
    }
    await pause(500);
    const isTalking = talker.isOpen;
    talker.close();
    return {
      tries: mine.length + theirs.length + packets,
      isHeld: byUser <= MAX_BY_USER && byNetwork <= MAX_BY_NETWORK && !isTalking,
      evidence: `${byUser} sockets of one user, ${byNetwork} of one network, ${isTalking ? 'never disconnected' : 'disconnected'} after ${packets} packets`,
    };
  },
};
