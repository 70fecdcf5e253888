/** Patterns of questions for advice or predictions. Texts are folded. */

const DECISION =
  /\b(should (i|we|one|people)|shall i|would you (buy|sell|hold|invest|recommend)|(good|right|best|bad|great|safe) (time|moment|idea|investment|buy|entry|bet|choice)|worth (buying|it|investing|holding)|(buy|sell|hold|hodl) or (buy|sell|hold|hodl|wait)|too (late|early) (to|for)|is it safe to|(is|are) .+ (a|an) (good )?(buy|sell|scam|steal|bargain)|over ?valued|under ?valued|recommend\w*|advice|advise|invest (my|in|all|everything)|(trading|buy|sell|entry|exit) signals?|all[- ]in on|financial plan|when (to|should i) (buy|sell)|what to (buy|sell)|how (do i|can i|to) (buy|sell|invest|get)|take profits? (now|at))\b/;

const FUTURE =
  /\b(predict\w*|forecast\w*|price targets?|target (for|price)|outlook|going to (go|be|moon|rise|fall|crash|pump|dump|drop|hit|reach|recover|explode|happen)|about to (go|moon|rise|fall|crash|pump|dump|drop|explode)|will(?! you)|won't|(can|could|might|may|would) \S+( \S+)? (go|rise|fall|drop|crash|recover|reach|hit|moon|pump|dump|explode|double|triple|10x|100x|break|become|get to|be worth|be at|keep|outperform|flip|survive)|where .+ (headed|heading|going to)|how (high|low|far) (can|will|could|might|would)|next (bull|bear|100x|1000x|week|month|year|big|cycle)|when (moon|lambo)|tomorrow|by (the end of|next)|by 20\d\d|(in|for) 20(2[6-9]|[3-9]\d)|in (five|ten|5|10|20) years|to the moon|future (of|price|value))\b/;

const PICK =
  /\b((which|what) .*\bto (buy|invest|hold|trade|sell)|(best|good|safest|hottest|promising) (crypto|coins?|altcoins?|investments?|tokens?|memecoins?|cryptos|cryptocurrenc(y|ies))|make me (rich|money|a millionaire)|get rich|(hidden|undervalued) gems?|next bitcoin)\b/;

export const asksForAdvice = (folded: string): boolean => [DECISION, FUTURE, PICK].some((words) => words.test(folded));

/** Words that turn a question for top performers into a question for advice. */
export const asksAboutTomorrow = (folded: string): boolean =>
  DECISION.test(folded) || FUTURE.test(folded) || /\b(buy|sell|invest)\b/.test(folded);
