import { asksAboutTomorrow } from './asked-advice.ts';

/** Questions about the user's own bots and plan: patterns of folded texts. */

const BOTS =
  /\b(my|our) (\S+ ){0,2}bots?\b|\bbots? (of mine|i (have|own|run|made))\b|\bdo i (have|own|run) (\S+ ){0,2}bots?\b|\bhow many (trading )?bots (do i|have i|i)\b|\b(which|what) (trading )?bots (do i|have i)\b/;
/** The answer is the same for every bot. */
const HOW = /\bhow (do|does|can|could|would) (my|our) (\S+ )?bots? (work|decide|trade|choose|pick|enter|know|find)\b/;
const PLAN = new RegExp(
  [
    /\bmy (current |tidemark |monthly |question )?(plan|subscription|allowance|quota|membership)\b/,
    /\b(which|what) (plan|subscription) (am i|do i|have i)\b|\bam i (still )?(on (the )?|an? )(free|basic|pro|premium)\b/,
    /\b(how many|how much|number of) (\S+ ){0,3}(questions?|messages?|analys[ei]s)\b.{0,40}\b(i|left|remain\w*)\b/,
    /\b(questions?|messages?|analyses|allowance|quota)( do i have| are| is)? (left|remaining)\b/,
    /\bremaining (questions|messages|(chart )?analyses)\b/,
    /\bwhen (does|do|will|is|are) (my|the) (monthly )?(allowance|quota|questions?|plan|subscription)\b/,
  ]
    .map(({ source }) => source)
    .join('|'),
);

/** Finds out whether a folded question is about the user's own bots or plan. What to do with bots is a question for advice. */
export function askedOwn(folded: string): 'ownBots' | 'ownPlan' | undefined {
  if (BOTS.test(folded) && !HOW.test(folded) && !asksAboutTomorrow(folded)) return 'ownBots';
  return PLAN.test(folded) ? 'ownPlan' : undefined;
}
