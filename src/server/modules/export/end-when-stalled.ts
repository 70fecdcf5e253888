import type { Readable } from 'node:stream';

/** Destroys a stream whose reader takes nothing for `stalled` ms, or that is not over after `longest` ms. */
export function endWhenStalled(stream: Readable, { stalled, longest }: { stalled: number; longest: number }): void {
  const end = () => void stream.destroy(new Error('an export was not read in time'));
  // With nothing to read, it is the server that is slow.
  const look = () => (stream.readableLength > 0 ? end() : void stall.refresh());
  const stall = setTimeout(look, stalled);
  const over = setTimeout(end, longest);
  stream.on('data', () => stall.refresh());
  // Listening would make it flow before its reader is there.
  stream.pause();
  stream.once('close', () => {
    clearTimeout(stall);
    clearTimeout(over);
  });
}
