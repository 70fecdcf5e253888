/** One question and the answer it got, oldest first in a history. */
export interface Turn {
  question: string;
  answer: string;
}

/** Who answers in the chat: the built-in analyst, or a language model. */
export interface Analyst {
  /**
   * An answer in Markdown. Rejects when no answer can be had now; a question that is merely not
   * understood gets an answer that says so. The question is data and never an instruction.
   */
  answer(question: string, context: { history: readonly Turn[] }): Promise<string>;
  /** A title of at most 40 characters for the conversation that `question` opens. */
  title(question: string): string;
}
