import { connect } from 'node:net';

const CONNECTIONS = 32;
const END_OF_HEAD = Buffer.from('\r\n\r\n');
const OK = Buffer.from('HTTP/1.1 200');
const READ_AT_ONCE = 65_536;

/**
 * Sends `requests` in turn over keep-alive connections, one at a time on each, for `ms` and until `least` are answered.
 * Returns answers per second.
 * Does as little work as possible, because it shares the machine with the server. Rejects on anything but a 200.
 */
export async function drive(port: number, requests: readonly Buffer[], ms: number, least = 0): Promise<number> {
  let answers = 0;
  let next = 0;
  const until = performance.now() + ms;

  const one = () =>
    new Promise<void>((resolve, reject) => {
      let missing = 0;
      const read = (chunk: Buffer): void => {
        if (missing === 0) missing = lengthOf(chunk);
        missing -= chunk.length;
        if (Number.isNaN(missing)) return void socket.destroy(new Error(`not a 200: ${chunk.subarray(0, 300)}`));
        if (missing > 0) return;
        answers++;
        if (performance.now() < until || answers < least) ask();
        else socket.end(resolve);
      };
      // A new buffer for each part of an answer would cost this process up to five times as much.
      const buffer = Buffer.alloc(READ_AT_ONCE);
      const callback = (size: number) => {
        read(buffer.subarray(0, size));
        return true;
      };
      const socket = connect({ port, host: '127.0.0.1', noDelay: true, onread: { buffer, callback } });
      const ask = () => socket.write(requests[next++ % requests.length] ?? '');
      socket.on('connect', ask);
      socket.on('error', reject);
    });

  const started = performance.now();
  await Promise.all(Array.from({ length: CONNECTIONS }, one));
  return (answers * 1000) / (performance.now() - started);
}

/** Returns the size of the answer that starts with this chunk, or NaN unless it is a 200 with a length. */
function lengthOf(chunk: Buffer): number {
  const end = chunk.indexOf(END_OF_HEAD);
  if (end < 0 || !chunk.subarray(0, OK.length).equals(OK)) return Number.NaN;
  const length = /content-length: (\d+)/i.exec(chunk.toString('latin1', 0, end))?.[1];
  return end + END_OF_HEAD.length + Number(length ?? Number.NaN);
}
