import { amountsHidden } from '#client/platform/device-choices/hidden-amounts.ts';
import { choicesText } from '#domain/analyst/answers/choices-text.ts';
import { tellsOwn } from '#domain/analyst/answers/tells-of-account.ts';
import type { LocalMessage } from '../conversation/conversation.ts';
import { markFigures } from './figure-marks.tsx';
import { prepareMarkdown } from './markdown.tsx';

/** How many messages the first frame of a conversation shows: more than a phone does. */
export const FIRST_MESSAGES = 3;

/** Returns an answer's Markdown. Where its choices are buttons, they take the place of their list. */
export const textOf = ({ ai_response, choices = [] }: LocalMessage, hasButtons: boolean): string =>
  hasButtons ? ai_response.replace(choicesText(choices), '') : ai_response;

/** Marks the figures of an answer in its Markdown. Hidden amounts hide the user's own. */
export const markText = (text: string, figures: unknown, areHidden: boolean): string =>
  markFigures(text, figures, areHidden && tellsOwn(figures));

/** Parses the answers of a conversation's first frame, which then only draws them. The first parse compiles the parser. */
export function prepareAnswers(messages: readonly LocalMessage[]): void {
  const last = messages.at(-1);
  for (const message of messages.slice(-FIRST_MESSAGES)) {
    if (message.failed) continue;
    const text = textOf(message, message === last && !message.unsent);
    prepareMarkdown(markText(text, message.figures, amountsHidden.isOn()));
  }
}
