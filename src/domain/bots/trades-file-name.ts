import { PRODUCT } from '../product.ts';

/** Characters of a bot's name in a file's name. */
const MAX_NAME = 40;

/** Returns the name of the file with a bot's trades. It has letters, digits and dashes of the bot's name only. */
export function tradesFileName(botName: string): string {
  const words = botName.normalize('NFC').match(/[\p{L}\p{N}]+/gu) ?? [];
  const name = [...words.join('-')].slice(0, MAX_NAME).join('');
  return `${[PRODUCT.toLowerCase(), name || 'bot', 'trades'].join('-')}.csv`;
}
