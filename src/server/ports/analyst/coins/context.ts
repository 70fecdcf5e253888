import type { Candidate } from './aliases';
import type { Token } from './tokens';
import { AFTER_A_COIN, ARTICLES, BEFORE_A_COIN, CONNECTORS, FIGURES_OF, QUESTION_ENDS, QUESTION_STARTS } from './words';

interface Context {
  text: string;
  tokens: readonly Token[];
  candidates: readonly Candidate[];
}

/** Whether the words around an ambiguous name make it a coin. */
export function isCoinByContext(candidate: Candidate, context: Context): boolean {
  const { tokens } = context;
  const { from, to } = candidate;
  const before = tokens[from - 1]?.folded ?? '';
  const after = tokens[to]?.folded ?? '';
  const single = candidate.alias.symbol?.length === 1;
  // The s of "what's" and the S of "S&P" are no coins.
  if (single && (tokens[from]?.text !== candidate.alias.symbol || /['’&]/.test(around(candidate, context)))) return false;

  const isFollowedByFigure = AFTER_A_COIN.has(after) || (after === 'market' && AFTER_A_COIN.has(tokens[to + 1]?.folded ?? ''));
  if (isFollowedByFigure || BEFORE_A_COIN.has(before)) return true;
  if (before === 'of' && FIGURES_OF.has(tokens[from - 2]?.folded ?? '')) return true;
  if (from === 0 && to === tokens.length) return true;
  if (isInList(candidate, context)) return true;
  return candidate.alias.ambiguity === 'everyday' && isAskedAbout(candidate, tokens);
}

function around({ from, to }: Candidate, { text, tokens }: Context): string {
  return (
    text.slice((tokens[from]?.start ?? 1) - 1, tokens[from]?.start ?? 0) +
    text.slice(tokens[to - 1]?.end ?? 0, (tokens[to - 1]?.end ?? 0) + 1)
  );
}

/** "what about near?", "how is near doing today": a question that ends with the name and little else. */
function isAskedAbout({ from, to }: Candidate, tokens: readonly Token[]): boolean {
  const before = tokens[from - 1]?.folded;
  if (before !== undefined && ARTICLES.has(before)) return false;
  const opens = before === undefined || QUESTION_STARTS.has(before);
  return opens && tokens.slice(to).every(({ folded }) => QUESTION_ENDS.has(folded));
}

/** Beside a coin that is sure, with a comma, a slash or a connecting word between, and nothing else going on after it. */
function isInList(candidate: Candidate, { text, tokens, candidates }: Context): boolean {
  const ends = (token: Token | undefined) =>
    !token || CONNECTORS.has(token.folded) || QUESTION_ENDS.has(token.folded) || AFTER_A_COIN.has(token.folded);
  return candidates.some((other) => {
    if (!other.sure) return false;
    const [left, right] = other.from < candidate.from ? [other, candidate] : [candidate, other];
    const between = tokens.slice(left.to, right.from);
    const gap = text.slice(tokens[left.to - 1]?.end ?? 0, tokens[right.from]?.start ?? 0);
    const joined = between.length === 0 ? /[,/&+]/.test(gap) : between.length === 1 && CONNECTORS.has(between[0]?.folded ?? '');
    return (
      joined && (right === candidate ? ends(tokens[candidate.to]) || /^\s*,/.test(text.slice(tokens[candidate.to - 1]?.end ?? 0)) : true)
    );
  });
}
