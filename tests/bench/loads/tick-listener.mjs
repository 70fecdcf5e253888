// Opens sockets that watch coins, and counts the ticks that each hears. Talks to its parent by messages.
import { WebSocket } from 'ws';

/** Handshakes under way at once. */
const AT_ONCE = 50;
const { url, tokens, sockets, coins } = JSON.parse(process.argv[2]);
/** How many sockets heard a tick, by the time of its prices. */
let heard = new Map();

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

let opened = 0;
await Promise.all(
  Array.from({ length: AT_ONCE }, async () => {
    while (opened < sockets) await open(tokens[opened++ % tokens.length]);
  }),
);
process.on('message', (message) => {
  if (message === 'begin') heard = new Map();
  if (message === 'report') process.send([...heard]);
});
process.send('ready');
