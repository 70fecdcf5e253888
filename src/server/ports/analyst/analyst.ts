import type { AnswerFigures } from '#contract/chat/answer-figures.ts';
import type { ChartMarks } from '#contract/chat/chart-reading.ts';
import type { Action } from '#contract/chat/offers.ts';
import type { Own } from '#domain/analyst/own.ts';

/** A question with its answer. A history lists the oldest first. */
export interface Turn {
  question: string;
  answer: string;
}

/** A picture that the server has checked and re-encoded. */
export interface Picture {
  type: string;
  bytes: Buffer;
}

export interface Context {
  /** Who asks, and whose budget pays. Never part of what a model reads. */
  userId: string;
  history: readonly Turn[];
  picture?: Picture | undefined;
  /** The asking user's rows. */
  own?: Own | undefined;
  /** Aborts if the answer is no longer needed or times out. */
  signal: AbortSignal;
}

export interface Reply {
  /** Markdown. */
  text: string;
  /** The figures in the text that a tool found. */
  figures?: AnswerFigures | undefined;
  /** The reading of the picture. */
  marks?: ChartMarks | undefined;
  /** The answer is not charged. Refusing a picture without a chart is free a few times a day. */
  free?: boolean | undefined;
  /** Ids of the coins that the answer is about. */
  coins?: readonly number[] | undefined;
  /** Questions that the answer asks back. */
  choices?: readonly string[] | undefined;
  /** What the answer offers to do. */
  action?: Action | undefined;
}

/** Answers questions: the built-in analyst or a language model. */
export interface Analyst {
  readonly kind: 'built-in' | 'model';
  /**
   * Answers a question; one that it does not understand gets an answer that says so. Question, history and picture are
   * data, never instructions. Rejects if no answer is possible; with PictureUnreadable for an unreadable picture.
   */
  answer(question: string, context: Context): Promise<Reply>;
  /** Returns a title of at most 40 characters for a conversation that starts with `question`. */
  title(question: string): string;
}
