// Opens sockets that watch coins, and counts the ticks that each hears. Talks to its parent by messages.
import { setTimeout as pause } from 'node:timers/promises';
import { WebSocket } from 'ws';

/** Handshakes under way at once, unless the sockets arrive in a storm. */
const AT_ONCE = 50;
const { url, tokens, sockets, coins, delay } = JSON.parse(process.argv[2]);
/** How many sockets heard a tick, by the time of its prices. */
let heard = new Map();
let began;

const open = (token) =>
  new Promise((resolve, reject) => {
    const socket = new WebSocket(`${url}?EIO=4&transport=websocket&token=${token}`);
    socket.on('error', reject).on('close', () => reject(new Error('a socket was closed')));
    socket.on('message', (data) => {
      const text = data.toString();
      if (text === '2') return socket.send('3');
      if (text.startsWith('0')) return socket.send('40');
      if (text.startsWith('40')) {
        socket.send(`42${JSON.stringify(['watch_coins', coins])}`);
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
  await Promise.all(Array.from({ length: sockets }, (_, index) => later().then(() => open(tokens[index % tokens.length]))));
} else {
  let opened = 0;
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      while (opened < sockets) await open(tokens[opened++ % tokens.length]);
    }),
  );
}
process.send({ ms: performance.now() - started });
