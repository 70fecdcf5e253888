import { onPageCache } from '../page-cache.ts';

/**
 * Listens to a channel that tabs and worker share; returns a function that posts to the others. An open channel keeps
 * some browsers from caching the page, so a cached page hears nothing.
 */
export function openChannel<Message>(name: string, receive: (message: Message) => void): (message: Message) => void {
  let channel: BroadcastChannel | undefined;
  const open = () => {
    const opened = new BroadcastChannel(name);
    opened.onmessage = ({ data }: MessageEvent<Message>) => receive(data);
    return opened;
  };
  channel = open();
  onPageCache({
    freeze() {
      channel?.close();
      channel = undefined;
    },
    resume() {
      channel = open();
    },
  });
  return (message) => {
    if (channel) return channel.postMessage(message);
    const once = new BroadcastChannel(name);
    once.postMessage(message);
    once.close();
  };
}
