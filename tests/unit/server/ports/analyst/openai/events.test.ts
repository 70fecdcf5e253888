import { expect, it } from 'vitest';
import { readEvents } from '#server/ports/analyst/openai/events.ts';

async function* bytesOf(...pieces: (string | Buffer)[]) {
  for (const piece of pieces) yield Buffer.from(piece);
}

async function read(...pieces: (string | Buffer)[]): Promise<string[]> {
  const events: string[] = [];
  for await (const event of readEvents(bytesOf(...pieces))) events.push(event);
  return events;
}

it.each([
  ['one event', ['data: a\n\n'], ['a']],
  ['events cut anywhere', ['da', 'ta: a\n', '\ndata:b', '\n\n'], ['a', 'b']],
  ['CRLF cut in the middle', ['data: a\r', '\n\r\ndata: b\r\n\r\n'], ['a', 'b']],
  ['comments and other fields', [': ping\n\nevent: x\nid: 1\ndata: a\n\n'], ['a']],
  ['data of two lines', ['data: a\ndata: b\n\n'], ['a\nb']],
  ['an unfinished event', ['data: a\n\ndata: b\n'], ['a']],
])('reads %s', async (_name, pieces, events) => {
  expect(await read(...pieces)).toEqual(events);
});

it('decodes a character that is split between chunks', async () => {
  const whole = Buffer.from('data: ₿\n\n');
  expect(await read(whole.subarray(0, 7), whole.subarray(7, 8), whole.subarray(8))).toEqual(['₿']);
});
