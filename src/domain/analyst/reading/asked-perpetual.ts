const PERPETUAL = /\b(funding( (rates?|fees?|payments?))?|open interest|oi of)\b/;
/** Words that make it a question for figures where no coin is named. */
const OF_SOMETHING = /\b(its|their|current\w*|now|today|latest)\b|^(and|what about|how about)\b/;
const EXPLAINS = /\b(explain|define|definition|meaning|mean|means)\b|\bhow (do|does|is) .*\bwork/;

/** Whether a folded question asks for funding rate or open interest. `hasCoins`: it names a coin. */
export const asksForPerpetual = (folded: string, hasCoins: boolean): boolean =>
  PERPETUAL.test(folded) && !EXPLAINS.test(folded) && (hasCoins || OF_SOMETHING.test(folded));
