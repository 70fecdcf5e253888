// Sends a GET again and again until its parent asks how long they took, in ms. Talks to its parent by messages.
import { setTimeout as pause } from 'node:timers/promises';

/** Pause between two reads, ms. */
const EVERY = 20;
const { url, token, every = EVERY } = JSON.parse(process.argv[2]);
let times = [];

process.on('message', () => {
  times.sort((one, other) => one - other);
  process.send({ median: times[Math.floor(times.length / 2)], worst: times.at(-1), count: times.length });
  times = [];
});
for (;;) {
  const began = performance.now();
  const response = await fetch(url, { headers: { authorization: `Bearer ${token}` } });
  await response.arrayBuffer();
  if (!response.ok) throw new Error(`a read answered ${response.status}`);
  times.push(performance.now() - began);
  await pause(every);
}
