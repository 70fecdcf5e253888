import { afterEach, describe, expect, it, vi } from 'vitest';
import { createPictureReader, type PictureReader, PictureUnreadable } from '#server/pictures/picture-reader.ts';

const reading = {
  kind: 'none',
  confidence: 0.9,
  width: 1,
  height: 1,
  plot: { x: 0, y: 0, width: 0, height: 0 },
  candles: [],
  trend: 'flat',
  levels: [],
  warnings: [],
};

/** A thread that does what the picture's first byte says, and reports how many pictures it got. */
const thread = new URL(
  `data:text/javascript,${encodeURIComponent(`
    import { parentPort } from 'node:worker_threads';
    let seen = 0;
    parentPort.on('message', (bytes) => {
      seen += 1;
      if (bytes[0] === 1) return parentPort.postMessage({ error: 'not a picture' });
      if (bytes[0] === 2) for (;;);
      if (bytes[0] === 3) process.exit(1);
      parentPort.postMessage({ reading: { ...${JSON.stringify(reading)}, warnings: [String(seen)] } });
    });`)}`,
);
const bytes = (first: number) => ({ bytes: Uint8Array.of(first) });
const patient = new AbortController().signal;

let reader: PictureReader;
afterEach(() => {
  vi.useRealTimers();
  return reader.close();
});

describe('reading pictures in a worker thread', () => {
  it('reads one picture after the other in one thread', async () => {
    reader = createPictureReader(thread);
    const readings = await Promise.all([reader.read(bytes(0), patient), reader.read(bytes(0), patient), reader.read(bytes(0), patient)]);
    expect(readings.map(({ warnings }) => warnings)).toEqual([['1'], ['2'], ['3']]);
  });

  it('says why it cannot read a picture, and continues', async () => {
    reader = createPictureReader(thread);
    await expect(reader.read(bytes(1), patient)).rejects.toThrow(new PictureUnreadable('not a picture'));
    expect((await reader.read(bytes(0), patient)).kind).toBe('none');
  });

  it('stops a read that takes too long, and starts the next one in a new thread', async () => {
    reader = createPictureReader(thread);
    await reader.read(bytes(0), patient);
    const impatient = new AbortController();
    const endless = reader.read(bytes(2), impatient.signal);
    const next = reader.read(bytes(0), patient);
    await new Promise(setImmediate); // the read has started
    impatient.abort(new Error('too long'));
    await expect(endless).rejects.toThrow('too long');
    expect((await next).warnings).toEqual(['1']);
  });

  it('waits 40 seconds for a picture, because a busy machine holds its thread up', async () => {
    reader = createPictureReader(thread);
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    let isOver = false;
    const end = () => {
      isOver = true;
    };
    const endless = reader.read(bytes(2), patient).then(end, end);
    await vi.advanceTimersByTimeAsync(40_000);
    expect(isOver).toBe(false);
    await vi.advanceTimersByTimeAsync(5_000);
    await endless;
  });

  it('stops a read at its time limit, which starts with the read', async () => {
    reader = createPictureReader(thread, { limit: 400 });
    // The limit passes when the test says so: a new thread may take longer to start.
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const endless = [reader.read(bytes(2), patient), reader.read(bytes(2), patient), reader.read(bytes(2), patient)];
    const next = reader.read(bytes(0), patient);
    for (const read of endless) {
      const stopped = expect(read).rejects.toBeInstanceOf(PictureUnreadable);
      await vi.advanceTimersByTimeAsync(400);
      await stopped;
    }
    expect((await next).kind).toBe('none');
  });

  it('reads other pictures while one never finishes', async () => {
    reader = createPictureReader(thread, { threads: 2 });
    const end = new AbortController();
    const endless = reader.read(bytes(2), end.signal).catch((error: Error) => error.message);
    const seen = [await reader.read(bytes(0), patient), await reader.read(bytes(0), patient)];
    expect(seen.map(({ warnings }) => warnings)).toEqual([['1'], ['2']]);
    end.abort(new Error('ended'));
    expect(await endless).toBe('ended');
  });

  it('survives a crash of its thread', async () => {
    reader = createPictureReader(thread);
    await expect(reader.read(bytes(3), patient)).rejects.toBeInstanceOf(PictureUnreadable);
    expect((await reader.read(bytes(0), patient)).warnings).toEqual(['1']);
  });

  it('does not start an aborted read', async () => {
    reader = createPictureReader(thread);
    await expect(reader.read(bytes(2), AbortSignal.abort(new Error('gone')))).rejects.toThrow('gone');
  });
});
