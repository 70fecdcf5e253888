import type { Db } from '#server/db/open.ts';
import type { CountClock } from '#server/db/windows.ts';
import type { Channel } from '#server/ports/channels/channel.ts';
import type { Notifications } from '../service.ts';
import { createSender } from './sender.ts';

interface Parts {
  db: Db;
  clock: CountClock;
  notifications: Pick<Notifications, 'onQueued' | 'notify'>;
  channels: readonly Channel[];
  report: (error: unknown) => void;
  poll?: number | undefined;
}

export interface Deliveries {
  start(): Promise<void>;
  /** Resolves when this process sends nothing. */
  settled(): Promise<void>;
  close(): Promise<void>;
}

/** Creates what sends notifications by all channels of this installation. */
export function createDeliveries({ notifications, channels, ...parts }: Parts): Deliveries {
  const senders = channels.map((channel) => createSender(channel, { ...parts, notify: notifications.notify }));
  notifications.onQueued(() => {
    for (const { wake } of senders) wake();
  });
  const all = async (run: (sender: (typeof senders)[number]) => Promise<void>) => void (await Promise.all(senders.map(run)));
  return {
    async start() {
      for (const { start } of senders) start();
    },
    settled: () => all(({ settled }) => settled()),
    close: () => all(({ close }) => close()),
  };
}
