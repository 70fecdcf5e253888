import { SECOND } from '#domain/clock.ts';
import type { Channel } from './channel.ts';
import { MAX_TEXT, type TelegramApi, TelegramRefusal } from './telegram-api.ts';

/** Telegram takes about thirty messages a second. */
const AT_ONCE = 8;

/** Creates the channel that sends plain text to chats with the installation's Telegram bot. */
export const createTelegramChannel = ({ api, publicUrl }: { api: TelegramApi; publicUrl: string }): Channel => ({
  name: 'telegram',
  atOnce: AT_ONCE,
  async send({ destination, text, link }, signal) {
    if (!destination) return { outcome: 'refused', reason: 'no chat' };
    try {
      await api.sendText(destination.address, textOf(text, link === null ? '' : `\n${publicUrl}${link}`), signal);
      return { outcome: 'sent' };
    } catch (error) {
      if (!(error instanceof TelegramRefusal)) throw error;
      const { status, message: reason, retryAfter } = error;
      // The user blocked the bot, deleted the account, or the chat is gone.
      if (status === 403 || /chat not found|user not found/i.test(reason)) return { outcome: 'gone', reason };
      if (status === 429) return { outcome: 'retry', reason, pause: true, after: (retryAfter ?? 1) * SECOND };
      // 401: the operator's token is wrong, which is no reason to give a message up.
      if (status >= 500 || status === 401 || status === 409) return { outcome: 'retry', reason };
      return { outcome: 'refused', reason, counts: true };
    }
  },
});

/** Joins a text, cut to what a message may have, and its end. */
function textOf(text: string, end: string): string {
  const max = MAX_TEXT - end.length;
  // Half a pair of code units is no character.
  return (text.length > max ? `${text.slice(0, max - 1).replace(/[\uD800-\uDBFF]$/, '')}…` : text) + end;
}
