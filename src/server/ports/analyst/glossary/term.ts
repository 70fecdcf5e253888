/** A word of the field and what it means. */
export interface Term {
  /** How it is called in an answer. */
  name: string;
  /** Other ways to write it. */
  also: readonly string[];
  /** A few plain sentences. */
  meaning: string;
  /** A figure that a coin has: asked of a coin, it is answered with the figure where there is one. */
  figure?: 'known' | 'unknown';
}
