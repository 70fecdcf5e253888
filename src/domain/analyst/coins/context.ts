import type { Candidate } from './aliases.ts';
import type { Token } from './tokens.ts';
import {
  AFTER_A_COIN,
  ARTICLES,
  BEFORE_A_COIN,
  CONNECTORS,
  ENDS_LISTS,
  FIGURES_OF,
  LEADS_TO,
  PERIODS_AFTER_A_COIN,
  QUESTION_ENDS,
  QUESTION_STARTS,
} from './vocabulary.ts';

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
  // "Ripple's price" means the same as "ripple price".
  const own = tokens[to]?.folded === 's' ? to + 1 : to;
  const next = PERIODS_AFTER_A_COIN.has(tokens[own]?.folded ?? '') ? own + 1 : own;
  const after = tokens[next]?.folded ?? '';
  const single = candidate.alias.symbol?.length === 1;
  // The s of "what's" and the S of "S&P" are not coins.
  if (single && (tokens[from]?.text !== candidate.alias.symbol || /['’&]/.test(around(candidate, context)))) return false;

  const isFollowedByFigure = AFTER_A_COIN.has(after) || (after === 'market' && AFTER_A_COIN.has(tokens[next + 1]?.folded ?? ''));
  if (isFollowedByFigure || BEFORE_A_COIN.has(before)) return true;
  if (before === 'of' && FIGURES_OF.has(tokens[from - 2]?.folded ?? '')) return true;
  if (from === 0 && to === tokens.length) return true;
  if (/^\d+$/.test(before) && isAmountOf(tokens[from - 2]?.folded, after)) return true;
  if (isInList(candidate, context)) return true;
  return candidate.alias.ambiguity === 'everyday' && isAskedAbout(candidate, tokens);
}

/** "10 link worth", "how much is 10 link". */
const isAmountOf = (opens: string | undefined, after: string): boolean =>
  after === 'worth' || (after === '' && opens !== undefined && QUESTION_STARTS.has(opens));

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
  if (!opens) return false;
  for (let at = to; at < tokens.length; at++) if (!QUESTION_ENDS.has(tokens[at]?.folded ?? '')) return false;
  return true;
}

/** In a list with a certain coin: "sand and btc", "btc, near, sol", "2 eth to link". */
function isInList(candidate: Candidate, context: Context): boolean {
  const { tokens, candidates } = context;
  if (ENDS_LISTS.has(tokens[candidate.from]?.folded ?? '')) return false;
  return candidates.some((other) => {
    if (!other.sure) return false;
    return other.from < candidate.from
      ? areJoined(other, candidate, context, true) && isDone(candidate, context)
      : areJoined(candidate, other, context, false);
  });
}

/** Whether only a comma, a slash or a connecting word separates them. */
function areJoined(left: Candidate, right: Candidate, { text, tokens }: Context, isLeading: boolean): boolean {
  const [word, ...more] = tokens.slice(left.to, right.from);
  if (!word) return /[,/&+]/.test(text.slice(tokens[left.to - 1]?.end ?? 0, tokens[right.from]?.start ?? 0));
  return more.length === 0 && (CONNECTORS.has(word.folded) || (isLeading && LEADS_TO.has(word.folded)));
}

/** Whether no following word makes the name part of a sentence. */
function isDone({ to }: Candidate, { text, tokens }: Context): boolean {
  const next = tokens[to];
  if (!next || /^\s*[,?!]/.test(text.slice(tokens[to - 1]?.end ?? 0))) return true;
  return [CONNECTORS, QUESTION_ENDS, AFTER_A_COIN].some((words) => words.has(next.folded));
}
