import type { Readable } from 'node:stream';

/** Destroys a stream whose reader takes nothing for `stalled` ms, or that has not ended after `longest` ms. */
export function endWhenStalled(stream: Readable, { stalled, longest }: { stalled: number; longest: number }): void {
  const end = () => void stream.destroy(new Error('an export was not read in time'));
  // When nothing is buffered, the server is slow, not the reader.
  const look = () => (stream.readableLength > 0 ? end() : void stall.refresh());
  const stall = setTimeout(look, stalled);
  const over = setTimeout(end, longest);
  stream.on('data', () => stall.refresh());
  // A 'data' listener would start the stream before its reader is attached.
  stream.pause();
  stream.once('close', () => {
    clearTimeout(stall);
    clearTimeout(over);
  });
}
