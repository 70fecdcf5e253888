import { afterEach, describe, expect, it } from 'vitest';
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

/** A thread that does what the first byte of the picture says, and tells how many it has seen. */
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
afterEach(() => reader.close());

describe('reading pictures in a thread', () => {
  it('answers one after the other with one thread', async () => {
    reader = createPictureReader(thread);
    const readings = await Promise.all([reader.read(bytes(0), patient), reader.read(bytes(0), patient), reader.read(bytes(0), patient)]);
    expect(readings.map(({ warnings }) => warnings)).toEqual([['1'], ['2'], ['3']]);
  });

  it('tells why a picture cannot be read, and goes on', async () => {
    reader = createPictureReader(thread);
    await expect(reader.read(bytes(1), patient)).rejects.toThrow(new PictureUnreadable('not a picture'));
    expect((await reader.read(bytes(0), patient)).kind).toBe('none');
  });

  it('ends a reading that takes too long, and takes the next one up in a new thread', async () => {
    reader = createPictureReader(thread);
    await reader.read(bytes(0), patient);
    const impatient = new AbortController();
    const endless = reader.read(bytes(2), impatient.signal);
    const next = reader.read(bytes(0), patient);
    await new Promise(setImmediate); // it has begun
    impatient.abort(new Error('too long'));
    await expect(endless).rejects.toThrow('too long');
    expect((await next).warnings).toEqual(['1']);
  });

  it('ends a picture that takes longer than its limit, and the limit begins with the reading', async () => {
    reader = createPictureReader(thread, { limit: 400 });
    const endless = [reader.read(bytes(2), patient), reader.read(bytes(2), patient), reader.read(bytes(2), patient)];
    const next = reader.read(bytes(0), patient);
    for (const { status, ...rest } of await Promise.allSettled(endless)) {
      expect(status).toBe('rejected');
      expect(rest).toMatchObject({ reason: expect.any(PictureUnreadable) });
    }
    expect((await next).kind).toBe('none');
  });

  it('reads on beside a picture that takes for ever', async () => {
    reader = createPictureReader(thread, { threads: 2 });
    const end = new AbortController();
    const endless = reader.read(bytes(2), end.signal).catch((error: Error) => error.message);
    const seen = [await reader.read(bytes(0), patient), await reader.read(bytes(0), patient)];
    expect(seen.map(({ warnings }) => warnings)).toEqual([['1'], ['2']]);
    end.abort(new Error('ended'));
    expect(await endless).toBe('ended');
  });

  it('survives a thread that dies', async () => {
    reader = createPictureReader(thread);
    await expect(reader.read(bytes(3), patient)).rejects.toBeInstanceOf(PictureUnreadable);
    expect((await reader.read(bytes(0), patient)).warnings).toEqual(['1']);
  });

  it('does not begin what nobody wants any more', async () => {
    reader = createPictureReader(thread);
    await expect(reader.read(bytes(2), AbortSignal.abort(new Error('gone')))).rejects.toThrow('gone');
  });
});
