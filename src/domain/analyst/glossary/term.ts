/** A term and its meaning. */
export interface Term {
  /** Name in an answer. */
  name: string;
  /** Other spellings. */
  also: readonly string[];
  /** Explanation in a few plain sentences. */
  meaning: string;
  /** The figure of a coin that the term names; a question about a coin gets that figure. */
  figure?: 'known' | 'unknown';
}
