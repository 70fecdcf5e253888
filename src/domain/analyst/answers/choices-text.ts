/** The list of choices in an answer's text, for copies and for readers without buttons. */
export const choicesText = (choices: readonly string[]): string =>
  choices.length === 0 ? '' : `\n\n${choices.map((each) => `- ${each}`).join('\n')}`;
