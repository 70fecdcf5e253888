import { API_PREFIX } from '#contract/paths.ts';

/** Settings of the client build (README, Settings). Each moves one service to another host. */
export const API_URL: string = import.meta.env.VITE_API_URL ?? API_PREFIX;
/** Undefined: the page's own origin. */
export const SOCKET_URL: string | undefined = import.meta.env.VITE_SOCKET_URL;
/** A configured storage key; none, the default, means a key made on the device. */
export const STORAGE_KEY: string | undefined = import.meta.env.VITE_STORAGE_KEY;
/** Undefined: the bot service answers where the app came from. */
export const BOT_API_URL: string | undefined = import.meta.env.VITE_BOT_API_URL;
/** Undefined: the training insight frames our own indicator. */
export const INDICATOR_URL: string | undefined = import.meta.env.VITE_INDICATOR_URL;
