/** Ways by which notifications leave the app. */
export const CHANNELS = ['email', 'push', 'telegram', 'webhook'] as const;
export type ChannelName = (typeof CHANNELS)[number];
