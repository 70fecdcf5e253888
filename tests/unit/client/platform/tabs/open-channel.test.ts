import { expect, test } from 'vitest';
import { openChannel } from '#client/platform/tabs/open-channel.ts';

const send = (type: 'pagehide' | 'pageshow', persisted: boolean) => dispatchEvent(Object.assign(new Event(type), { persisted }));

test('a cached page hears nothing, may still post, and listens again when it is shown', async () => {
  const other = new BroadcastChannel('test/cached');
  const heard: unknown[] = [];
  other.onmessage = ({ data }) => heard.push(data);
  const received: string[] = [];
  const post = openChannel<string>('test/cached', (message) => received.push(message));

  send('pagehide', false);
  other.postMessage('closing or not');
  await expect.poll(() => received).toEqual(['closing or not']);

  send('pagehide', true);
  other.postMessage('lost');
  post('last words');
  await expect.poll(() => heard).toEqual(['last words']);

  send('pageshow', true);
  other.postMessage('back');
  await expect.poll(() => received).toEqual(['closing or not', 'back']);
  other.close();
});
