import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { connectDevTools } from '#tests/bench/browser/devtools.ts';

function connect() {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const sent: { id: number; method: string; sessionId?: string }[] = [];
  input.on('data', (chunk: Buffer) => sent.push(JSON.parse(chunk.toString().slice(0, -1))));
  return { sessionOf: connectDevTools(input, output), sent, output };
}

test('answers reach their calls, in any order and cut anywhere', async () => {
  const { sessionOf, sent, output } = connect();
  const [first, second] = [sessionOf().send('A.first'), sessionOf('tab').send('B.second')];
  expect(sent).toMatchObject([
    { id: 1, method: 'A.first' },
    { id: 2, method: 'B.second', sessionId: 'tab' },
  ]);
  const bytes = Buffer.from('{"id":2,"result":{"name":"é"}}\0{"id":1,"error":{"message":"no"}}\0');
  // The cut goes through the two bytes of é.
  const cut = bytes.indexOf('é') + 1;
  output.write(bytes.subarray(0, cut));
  output.write(bytes.subarray(cut));
  expect(await second).toEqual({ name: 'é' });
  await expect(first).rejects.toThrow('A.first: no');
});

test('events reach the session that they belong to', async () => {
  const { sessionOf, output } = connect();
  const seen: unknown[] = [];
  sessionOf('tab').on('Page.loadEventFired', (params) => seen.push(params));
  output.write('{"method":"Page.loadEventFired","sessionId":"other","params":1}\0');
  output.write('{"method":"Page.loadEventFired","sessionId":"tab","params":2}\0');
  await expect.poll(() => seen).toEqual([2]);
});

test('calls fail when Chromium ends', async () => {
  const { sessionOf, output } = connect();
  const call = sessionOf().send('Page.enable');
  output.destroy();
  await expect(call).rejects.toThrow('Page.enable: Chromium ended');
});

test('an exception in the page fails the evaluation', async () => {
  const { sessionOf, output } = connect();
  const value = sessionOf().evaluate('nothing()');
  output.write('{"id":1,"result":{"result":{},"exceptionDetails":{"text":"Uncaught","exception":{"description":"ReferenceError"}}}}\0');
  await expect(value).rejects.toThrow('ReferenceError');
});
