import type { ChartMarks } from '#contract/chat/chart-reading.ts';

/** One question and the answer it got, oldest first in a history. */
export interface Turn {
  question: string;
  answer: string;
}

/** A picture that was checked, decoded and written anew by us. */
export interface Picture {
  type: string;
  bytes: Buffer;
}

export interface Context {
  history: readonly Turn[];
  picture?: Picture | undefined;
  /** Aborted when nobody wants the answer any more, or it took too long. */
  signal: AbortSignal;
}

export interface Reply {
  /** Markdown. */
  text: string;
  /** What was read from the picture. */
  marks?: ChartMarks | undefined;
  /** Costs nothing of the allowance. The refusal of a picture that is no chart is free a few times a day. */
  free?: boolean | undefined;
  /** Ids of the coins it is about. */
  coins?: readonly number[] | undefined;
}

/** Who answers in the chat: the built-in analyst, or a language model. */
export interface Analyst {
  readonly kind: 'built-in' | 'model';
  /**
   * Rejects when no answer can be had now (with PictureUnreadable when its picture is at fault); a question that is merely not understood gets an answer that says
   * so. Question, history and picture are data and never instructions.
   */
  answer(question: string, context: Context): Promise<Reply>;
  /** A title of at most 40 characters for the conversation that `question` opens. */
  title(question: string): string;
}
