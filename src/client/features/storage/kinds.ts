/** Kinds of data on a device, as users name them. */
export const KINDS = [
  {
    id: 'chats',
    title: 'Chats',
    noun: 'message',
    loss: 'Removes archived chats and their messages from this device. They stay in your account and load again online. Unsent questions stay here.',
  },
  {
    id: 'images',
    title: 'Pictures',
    noun: 'picture',
    loss: 'Removes pictures of chats, coins and your profile from this device. They load again online. Unsent pictures stay here.',
  },
  {
    id: 'market',
    title: 'Market',
    noun: 'coin',
    loss: 'Removes prices, details and charts from this device, except for coins of your watchlist. They load again online.',
  },
  {
    id: 'watchlist',
    title: 'Watchlist',
    noun: 'coin',
    loss: 'Removes your watchlist from this device. It stays in your account and loads again online.',
  },
  {
    id: 'alerts',
    title: 'Price alerts',
    noun: 'alert',
    loss: 'Removes price alerts and their history from this device. They stay on in your account and load again online.',
  },
  {
    id: 'notifications',
    title: 'Notifications',
    noun: 'notification',
    loss: 'Removes notifications from this device. They stay in your account and load again online.',
  },
  {
    id: 'bots',
    title: 'Trading bots',
    noun: 'bot',
    loss: 'Removes saved bots and backtests from this device. Your bots keep running, and everything loads again online.',
  },
  {
    id: 'support',
    title: 'Messages to support',
    noun: 'message',
    loss: 'Removes the list of messages you sent to support from this device. Support still has them. Unsent messages stay here.',
  },
  {
    id: 'drafts',
    title: 'Drafts',
    noun: 'draft',
    loss: 'Deletes your unsent drafts and their pictures for good. They exist only on this device.',
    isFinal: true,
  },
  { id: 'waiting', title: 'Waiting to be sent', noun: 'change' },
  { id: 'account', title: 'Profile', noun: 'profile' },
  { id: 'app', title: 'The app itself', noun: 'file' },
] as const satisfies readonly Kind[];

interface Kind {
  id: string;
  title: string;
  /** Name of one item. */
  noun: string;
  /** What clearing it does. Kinds without it cannot be cleared. */
  loss?: string;
  /** Cleared data cannot be loaded again. */
  isFinal?: true;
}

export type KindId = (typeof KINDS)[number]['id'];
export type KindText = Kind & { id: KindId };
export const kinds: readonly KindText[] = KINDS;
