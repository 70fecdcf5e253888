import type { MessageRow } from '#client/platform/db/user-db.ts';
import type { Message } from '#contract/chat/chat.ts';
import { withoutEnding } from '#domain/analyst/answers/stamp.ts';

/**
 * Keeps the device's answer beside a message of the server, until the server's own answer says the same.
 * @param before what the device had of the message
 */
export function withDeviceAnswer(message: MessageRow, before: MessageRow | undefined): MessageRow {
  const { device_answer: own, ...server } = message;
  const answer = own ?? before?.device_answer;
  if (typeof answer?.text !== 'string' || before?.user_message !== message.user_message || saysTheSame(message, answer.text)) return server;
  return { ...server, device_answer: answer };
}

const saysTheSame = ({ ai_response, failed }: Message, text: string): boolean =>
  !failed && withoutEnding(ai_response) === withoutEnding(text);
