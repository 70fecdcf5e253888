// Opens sockets that watch coins, and counts the ticks that each hears. Talks to its parent by messages.
import { setTimeout as pause } from 'node:timers/promises';
import { WebSocket } from 'ws';

/** Handshakes under way at once, unless the sockets arrive in a storm. */
const AT_ONCE = 50;
const { url, tokens, sockets, lists, delay } = JSON.parse(process.argv[2]);
/** How many sockets heard a tick, by the time of its prices. */
let heard = new Map();
let began;

/** Opens the socket at a place: its user has a token and a list of coins. */
const open = (place) =>
  new Promise((resolve, reject) => {
    const socket = new WebSocket(`${url}?EIO=4&transport=websocket&token=${tokens[place % tokens.length]}`);
    socket.on('error', reject).on('close', () => reject(new Error('a socket was closed')));
    socket.on('message', (data) => {
      const text = data.toString();
      if (text === '2') return socket.send('3');
      if (text.startsWith('0')) return socket.send('40');
      if (text.startsWith('40')) {
        socket.send(`42${JSON.stringify(['watch_coins', lists[place % lists.length]])}`);
        return resolve();
      }
      const time = text.startsWith('42["coin_ticks"') && /"asOf":"([^"]+)"/.exec(text)?.[1];
      if (time) heard.set(time, (heard.get(time) ?? 0) + 1);
    });
  });

process.on('message', (message) => {
  if (message === 'begin') {
    heard = new Map();
    began = { time: performance.now(), cpu: process.cpuUsage() };
  }
  if (message === 'report') {
    const { user, system } = process.cpuUsage(began.cpu);
    process.send({ ticks: [...heard], busy: (user + system) / 1000 / (performance.now() - began.time) });
  }
});

const started = performance.now();
if (delay) {
  const later = () => pause(delay * (0.5 + Math.random()));
  await Promise.all(Array.from({ length: sockets }, (_, index) => later().then(() => open(index))));
} else {
  let opened = 0;
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      while (opened < sockets) await open(opened++);
    }),
  );
}
process.send({ ms: performance.now() - started });
