/** What lies on a device, as its user thinks of it. */
export const KINDS = [
  {
    id: 'chats',
    title: 'Chats',
    noun: ['message', 'messages'],
    loss: 'Archived chats and their messages leave this device. Your account keeps them: they come back when you open them online. Questions that wait to be sent stay here.',
  },
  {
    id: 'images',
    title: 'Pictures',
    noun: ['picture', 'pictures'],
    loss: 'Pictures of chats, coins and your profile leave this device. They come back when you look at them online. Pictures that wait to be sent stay here.',
  },
  {
    id: 'market',
    title: 'Market',
    noun: ['coin', 'coins'],
    loss: 'Prices, details and charts leave this device, but for the coins of your watchlist. They come back when you open them online.',
  },
  {
    id: 'watchlist',
    title: 'Watchlist',
    noun: ['coin', 'coins'],
    loss: 'Your watchlist leaves this device. Your account keeps it: it comes back when you open it online.',
  },
  {
    id: 'notifications',
    title: 'Notifications',
    noun: ['notification', 'notifications'],
    loss: 'Your notifications leave this device. Your account keeps them: they come back when you are online.',
  },
  {
    id: 'bots',
    title: 'Trading bots',
    noun: ['bot', 'bots'],
    loss: 'What this device knows of your bots leaves it. The bots themselves go on as they are, and come back here when you look at them online.',
  },
  {
    id: 'support',
    title: 'Messages to support',
    noun: ['message', 'messages'],
    loss: 'The list of what you sent to support leaves this device. Support has the messages. Those that wait to be sent stay here.',
  },
  {
    id: 'drafts',
    title: 'Drafts',
    noun: ['draft', 'drafts'],
    loss: 'What you wrote and did not send is lost, with its pictures: it is nowhere but on this device.',
    isFinal: true,
  },
  { id: 'waiting', title: 'Waiting to be sent', noun: ['change', 'changes'] },
  { id: 'account', title: 'Profile', noun: ['profile', 'profiles'] },
  { id: 'app', title: 'The app itself', noun: ['file', 'files'] },
] as const satisfies readonly Kind[];

interface Kind {
  id: string;
  title: string;
  /** What is counted: one of it, and several. */
  noun: readonly [string, string];
  /** What clearing it means. Without one it is not cleared here. */
  loss?: string;
  /** What is cleared cannot be had again. */
  isFinal?: true;
}

export type KindId = (typeof KINDS)[number]['id'];
export type KindText = Kind & { id: KindId };
export const kinds: readonly KindText[] = KINDS;
