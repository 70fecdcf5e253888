import { findTerms } from '../glossary/glossary.ts';
import { TECHNOLOGY_TERMS } from '../glossary/technology-terms.ts';
import type { Term } from '../glossary/term.ts';

const DEFINES = /\b(what|whats|define|definition|explain\w*|meaning|means?|describe|understand|tell me|how|teach|difference)\b/;

/** Words of a question for a meaning, besides the term. */
const AROUND_A_TERM = new Set(
  `what whats is are s does do did define definition explain explained meaning mean means describe understand tell me about how work
   works the a an of in on for to and or vs versus with between difference differences compare please can could you i help simple simply
   words terms term word crypto cryptocurrency trading exactly again quickly briefly level levels by this that it when people say hi hello
   hey thanks ok used use called trade explaining learn know want like m am five beginner beginners newbie dummies child
   `.split(/\s+/),
);

const LEVEL_TERMS = new Set(['Support', 'Resistance', 'Support and resistance']);
const OF_THE_MOMENT = /\b(the (?!difference|meaning|definition)|current|currently|key|nearest|next|now|today|its)\b/;
const OF_SOMETHING = /\b(the|its|their|his|current|total)\b/;

const YES_NO = /^(is|are|can|could|does|do|has|have|should|would)\b/;

export interface AskedTerms {
  terms: readonly Term[];
  /** The question may be a follow-up for the figure ("volume?", "what's the market cap?"). */
  maybeFigure: boolean;
}

/** Finds the terms that a folded question asks to explain: it names them and little else. */
export function askedTerms(folded: string): AskedTerms | null {
  const { terms, rest } = findTerms(folded);
  const [first] = terms;
  if (!first || rest.some((word) => !AROUND_A_TERM.has(word))) return null;
  const defines = DEFINES.test(folded);
  if (LEVEL_TERMS.has(first.name) && (!defines || OF_THE_MOMENT.test(folded))) return null;
  return { terms: terms.slice(0, 3), maybeFigure: first.figure === 'known' && (!defines || OF_SOMETHING.test(folded)) };
}

/** Finds terms in a question about coins: an unknown figure ("the RSI of bitcoin") or a term to explain. */
export function termsBesideCoins(folded: string): Term[] {
  const { terms } = findTerms(folded);
  const explains = /\b(explain|define|definition|meaning|mean)\b|\bhow (do|does|is) .*\bwork|^what (is|are) an? /.test(folded);
  // "Is solana good for staking" asks for no figure.
  const isYesNo = YES_NO.test(folded);
  const asksFor = terms.filter(
    (term) => (term.figure === 'unknown' && !(isYesNo && TECHNOLOGY_TERMS.includes(term))) || (explains && term.figure === undefined),
  );
  return asksFor.slice(0, 3);
}
