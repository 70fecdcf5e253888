import { formatUtc } from '#client/ui/labels/format-utc.ts';
import { PRODUCT } from '#domain/product.ts';
import type { LocalMessage } from '../conversation/conversation.ts';

/** Maximum characters of the text; clipboards and editors get slow beyond. */
const MAX_TEXT = 1_000_000;

/** Times are in UTC, because the text may be read anywhere. */
const timeOf = (time: string | number): string => `${formatUtc(time)} UTC`;

/**
 * Writes a conversation as Markdown: its title, then each question as a quotation with its time, and its answer. Of a longer one
 * than a million characters, the last messages.
 */
export function conversationMarkdown(title: string, messages: readonly LocalMessage[]): string {
  const kept: string[] = [];
  let length = 0;
  let isWhole = (messages[0]?.position ?? 1) <= 1;
  for (const message of [...messages].reverse()) {
    const text = exchangeOf(message);
    length += text.length;
    if (length > MAX_TEXT && kept.length > 0) {
      isWhole = false;
      break;
    }
    kept.unshift(text);
    if (message.missingBefore) kept.unshift('*Messages are missing here.*');
  }
  return [`# ${title || 'New Chat'}`, ...(isWhole ? [] : ['*Earlier messages are left out.*']), ...kept, ''].join('\n\n');
}

function exchangeOf({ user_message: question, chat_image, created_at, ...message }: LocalMessage): string {
  const asked = [...(chat_image ? ['[Picture]'] : []), ...(question ? [question] : [])].join('\n');
  const quotation = asked
    .split(/\r\n|\r|\n/)
    .map((line) => (line ? `> ${line}` : '>'))
    .join('\n');
  return [`**You** · ${timeOf(created_at)}`, quotation, `**${PRODUCT}**`, answerOf(message)].join('\n\n');
}

function answerOf(message: Pick<LocalMessage, 'ai_response' | 'device_answer' | 'stopped'>): string {
  const { ai_response: answer, device_answer: own, stopped } = message;
  const answers = [
    ...(own ? [`*From this device, figures of ${timeOf(own.asOf)}*\n\n${own.text}`] : []),
    ...(answer ? [answer.trim()] : []),
  ];
  return answers.join('\n\n') || (stopped ? '*Stopped.*' : '*Not answered yet.*');
}
