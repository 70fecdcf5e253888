// Loaded into a server by `--import`: answers each connection to the socket in its DATA_DIR with its memory after a garbage
// collection, and its event loop delay since the last one. V8 keeps free pages for new objects and gives them back late: they belong
// to no figure but `rss`, whose other parts would not be seen beside them. So do the heaps of threads, which end when they are idle.
import { readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { isMainThread } from 'node:worker_threads';

/** The timer behind the histogram adds its own period to each delay, ms. */
const RESOLUTION = 10;
/** Wait for V8, which frees buffers in a thread after a collection, and for threads that read a picture, ms. */
const SETTLING = 1_500;

if (!isMainThread) tellHeap();
// The admin CLI has the same settings.
else if (process.argv[1]?.endsWith('main.js')) listen(join(process.env.DATA_DIR, 'probe.sock'));

/** Bytes that V8 holds: the pages of a heap, with its free ones, and buffers outside of it. */
function pages() {
  const { heapTotal, external } = process.memoryUsage();
  return heapTotal + external;
}

/** Mappings from 64 to 512 MB are buffers: those of heaps, stacks and native libraries are smaller, and V8 reserves larger ones. kB. */
const isBuffer = (size) => size >= 64 * 1_024 && size <= 512 * 1_024;

/**
 * Bytes of large buffers that were never used: `external` counts them, resident memory does not. The embedded database has one of 128 MB,
 * and keeps the pages in it that it has read.
 */
function unused() {
  const field = (mapping, name) => Number(new RegExp(`^${name}: +(\\d+) kB`, 'm').exec(mapping)?.[1]);
  const mappings = readFileSync('/proc/self/smaps', 'utf8').split(/^(?=[0-9a-f]+-[0-9a-f]+ )/m);
  const buffers = mappings.filter(
    (mapping) => / rw-p .* 0 *\n/.test(mapping.slice(0, mapping.indexOf('\n') + 1)) && isBuffer(field(mapping, 'Size')),
  );
  return buffers.reduce((sum, mapping) => sum + field(mapping, 'Size') - field(mapping, 'Rss'), 0) * 1_024;
}

/** Tells the main thread about this one's heap when it asks. */
function tellHeap() {
  const channel = new BroadcastChannel('probe');
  channel.onmessage = ({ data }) => data === 'ask' && channel.postMessage(pages());
  channel.unref();
}

function listen(path) {
  setFlagsFromString('--expose-gc');
  const collectGarbage = runInNewContext('gc');
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION });
  delay.enable();
  const channel = new BroadcastChannel('probe');
  channel.unref();
  rmSync(path, { force: true });
  const server = createServer(async (socket) => {
    socket.on('error', () => undefined);
    const ms = (nanoseconds) => Math.max(0, nanoseconds / 1e6 - RESOLUTION);
    const delays = { p99: ms(delay.percentile(99)), worst: ms(delay.max) };
    // The collection is no delay of the server's own.
    delay.disable();
    collectGarbage();
    const { heapUsed, external } = process.memoryUsage();
    delay.reset();
    delay.enable();
    let threads = 0;
    channel.onmessage = ({ data }) => {
      threads += Number(data) || 0;
    };
    channel.postMessage('ask');
    await pause(SETTLING);
    const { rss } = process.memoryUsage();
    const outside = rss + unused() - pages() - threads;
    socket.end(JSON.stringify({ heap: heapUsed + external, outside, threads, rss, ...delays }));
  });
  server.listen(path).unref();
}
