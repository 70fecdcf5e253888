import { CONTACTS } from '#client/platform/outbox/contact-triggers.ts';
import { QUESTIONS } from '#client/platform/outbox/questions.ts';

const counted = (count: number, one: string, many: string) => (count === 0 ? [] : count === 1 ? `one ${one}` : `${count} ${many}`);

/** Describes what a sign-out would lose, from the lanes of unsent commands. Empty if nothing is unsent. */
export function unsentMessage(lanes: readonly string[]): string {
  if (lanes.length === 0) return '';
  const questions = lanes.filter((lane) => lane === QUESTIONS).length;
  const messages = lanes.filter((lane) => lane === CONTACTS).length;
  const named = new Intl.ListFormat('en-GB', { style: 'long', type: 'conjunction' }).format(
    [
      counted(questions, 'question', 'questions'),
      counted(messages, 'message to support', 'messages to support'),
      counted(lanes.length - questions - messages, 'change', 'changes'),
    ].flat(),
  );
  const verb = lanes.length === 1 ? 'has' : 'have';
  return `${named.charAt(0).toUpperCase()}${named.slice(1)} ${verb} not been sent yet and would be lost.`;
}
