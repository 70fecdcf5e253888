import type { Kind, Query } from '../query.ts';
import { asksAboutTomorrow, asksForAdvice } from './asked-advice.ts';
import { askedHistory } from './asked-history.ts';
import { askedOwn } from './asked-own.ts';
import { asksForPerpetual } from './asked-perpetual.ts';
import { askedWhen } from './asked-time.ts';

/** Finds the subject of a folded question from its own words. */

const HELP = new RegExp(
  [
    /^(help( me)?|commands|examples|\?+)[.!? ]*$/,
    /\bwhat (else )?(can|could|do) (you|i) (do|know|answer|ask|help)\b|\bwhat (kinds?|sorts?) of (things|questions) (can|could|may|do) (i|you)\b/,
    /\bhow (do|does) (you|this|tidemark) work\b|\bhow (can|do|should) i (use|ask|talk to) (you|this)\b/,
    /\b(who|what) are you\b|\bare you (an? )?(bot|ai|human|robot|real|person|chatgpt|gpt|language model|llm)\b/,
    /\byour (features|abilities|capabilities|name)\b/,
    /\b(language model|llm|openai|chatgpt|gpt-?\d*|claude|gemini|ai_(base_url|api_key|model))\b/,
  ]
    .map(({ source }) => source)
    .join('|'),
);
const SOURCE = new RegExp(
  [
    /\bwhere .*\b(data|figures|prices|numbers)\b.*\b(from|come)\b/,
    /\b(data|price|figure|your) ?s? sources?\b|\bsources? of (your|the|this|these)\b/,
    /\bhow (fresh|old|recent|current|accurate|reliable|live)\b/,
    /\b(is|are) (this|these|the|your) .*\b(real|live|fake|demo|simulated|up to date|accurate)\b/,
    /\bwhich (coins|cryptos) do you (know|have|cover)\b|\bhow many coins\b(?! of\b)/,
  ]
    .map(({ source }) => source)
    .join('|'),
);
const REASON =
  /^(and |but |so |ok )?(why|how come|what caused|what (is|'s) (driving|behind))\b|\bwhat( is|'s|s)? (happened|happening|going on) (to|with|in)\b(?!( the)?( crypto)? (markets?|crypto)\b)|\b(news|headlines|reasons?)\b/;
const PAST =
  /\b(was|were|ago|yesterday|back then|used to be|in (20[01]\d|202[0-5])|ath|all[- ]time (high|low)|(highest|lowest) .*\bever|history|historical|launch price)\b/;
const GREETING =
  /^(hi+|hello+|hey+|hiya|howdy|yo|gm|good (morning|afternoon|evening|day)|greetings|hallo|hola|bonjour|ciao)\b|^how (are|r) (you|u)\b|^how('?s| is) it going\b|\btell me a (joke|story)\b|\bi love (you|u)\b|^are (you|u) (ok|okay|there|awake)\b/;
const THANKS = /^(many )?(thanks|thank you|thx|ty|cheers|great|perfect|nice|cool|awesome|ok(ay)?|got it|danke|merci|gracias)\b/;

const FAREWELL = /^(good ?night|good ?bye|bye|see (you|ya)|cya|farewell)\b/;
/** What the app can do, not the analyst. */
const APP = /\b(this|the|your) (app|site|website|page|product)\b.*\b(do|for|about|offer|work)\b|\bwhat (is|does|can) tidemark\b/;
const INSULT =
  /\b(fuck\w*|moron|asshole|shut up|screw you|i hate (you|u)|stupid|useless|idiot|dumb|worthless|rubbish|garbage|trash|crap|(you|this) (are |is |really )?(suck|sucks|bad|terrible|awful|shit))\b/;
/** How bots decide, also when to sell. */
const HOW_BOTS = /\bhow (do|does|can|will) (\S+ ){0,2}bots? (work|decide|trade|choose|pick|enter|know|find)\b/;
const BOTS = /\b(how|what|why|which|explain|show|tell)\b.*\b(trading )?bots?\b/;
const PLANS =
  /\b(which|what|your|the) (plans?|subscriptions?|allowance|quota)\b|\b(how many|number of) (questions|chart analyses|analyses)\b|\bupgrade\b|\b(get|included?|have) (with|in|on|for) (the )?(free|basic|pro|premium)\b|\b(free|basic|pro|premium) plan\b|\b(price|cost) of (pro|premium|basic)\b/;

const LEVELS = /\b(supports?|resistances?|s\/r|(key|price|important) levels?|levels)\b/;
const NOT_LEVELS =
  /\b(customer|technical|tech|contact|email|live) support\b|\bsupport (team|desk|staff|tickets?|email|chat|agents?|page)\b|\b(does|do|did|will|can|could|you|exchange|wallet|app|tidemark|who|people) (\S+ )?supports?\b(?! (and|levels?|lines?|zones?|for|of|at|price|now|today))|\b(supported|supporting)\b/;

const GAIN =
  /\b(gainers?|winners?|best[- ]perform\w*|risers?|rising|pump(ed|ing|s)|rall(y|ied|ying)|what (coins? |cryptos? )?(went|goes|is going|has gone|have gone) up|in the green|(up|gained|risen|rose|increased|grew|gain) (the )?most|(biggest|largest|top|strongest) (gains?|rises?|increases?)|outperform\w*|best (coins?|cryptos?|performers?|tokens?) (today|this|of the|over|in the))\b/;
const LOSS =
  /\b(losers?|worst|laggards?|falling|dump(ed|ing|s)|crash(ed|ing)|what (coins? |cryptos? )?(went|goes|is going|has gone|have gone) down|in the red|(down|lost|fallen|fell|dropped|declined|lose) (the )?most|(biggest|largest|top|steepest) (loss(es)?|falls?|drops?|declines?)|underperform\w*|bleeding)\b/;
const MOVERS = /\b(movers?|moved (the )?most|biggest moves?|trending|hot right now)\b/;
const TOP =
  /\btop( \d+| ten| five| three)?( crypto)? (coins?|cryptos?|cryptocurrenc(y|ies)|tokens?|altcoins?|assets)\b|^(the )?top( \d+| ten| five| three)?\b|\b(largest|biggest|smallest|lowest|highest)\b.*\b(coins?|cryptos?|cryptocurrenc(y|ies)|tokens?|caps?|volumes?|prices?)\b|\bmost (traded|valuable|expensive)\b|\bcheapest\b|\blist\b.*\b(coins|cryptos)\b/;
const OVERVIEW =
  /\bmarket (overview|summary|update|report|status|today|now|doing|situation|conditions?|breadth|mood)\b|\b(overview|summary|state|status)\b.*\b(market|crypto)\b|\btotal (crypto )?(market ?)?(cap|volume)\b|\bhow much is (all|the (whole|entire)) crypto\b|\b(the|whole|entire|overall|crypto) markets?\b(?! (cap|order|maker))|\bhow('?s| is| are)? (the )?(markets?|crypto|everything|cryptos|altcoins|alts)\b|^(markets?|crypto|overview|dominance)[.!? ]*$|\bwhat( is|'s|s) (up|going on|happening)\b/;

export interface Subject {
  /** Undefined if the words leave it open. */
  kind: Kind | undefined;
  side: Query['side'];
}

/** Subjects in order of matching; those that are easily misread come first. `hasCoins`: the question names a coin. */
export function askedSubject(folded: string, hasCoins: boolean): Subject {
  const is = (kind: Kind | undefined): Subject => ({ kind, side: sideOf(folded) });
  const movers = [GAIN, LOSS, MOVERS].some((words) => words.test(folded));
  const own = askedOwn(folded);
  if (own) return is(own);
  if (!hasCoins && APP.test(folded) && !/\b(support|resistance)\b/.test(folded)) return is('app');
  if (HELP.test(folded)) return is('help');
  if (SOURCE.test(folded)) return is('source');
  if (REASON.test(folded)) return is('reason');
  if (LEVELS.test(folded) && !NOT_LEVELS.test(folded)) return is('levels');
  if (asksForPerpetual(folded, hasCoins) && !asksForAdvice(folded)) return is('perpetual');
  const history = askedHistory(folded, hasCoins);
  if (history) return is(history);
  if (HOW_BOTS.test(folded)) return is('bots');
  if (asksForAdvice(folded) && !(movers && !asksAboutTomorrow(folded))) return is('advice');
  if (hasCoins) return is(PAST.test(folded) || namesDate(folded) ? 'past' : undefined);
  if (BOTS.test(folded)) return is('bots');
  if (PLANS.test(folded)) return is('plans');
  if (movers) return is('movers');
  if (TOP.test(folded)) return is('top');
  if (OVERVIEW.test(folded)) return is('overview');
  if (GREETING.test(folded)) return is('greeting');
  if (THANKS.test(folded)) return is('thanks');
  if (FAREWELL.test(folded)) return is('farewell');
  if (INSULT.test(folded)) return is('insult');
  return is(undefined);
}

/** "On 3 March", but not "last week", over which a change may be asked. */
function namesDate(folded: string): boolean {
  const when = askedWhen(folded);
  return when !== undefined && 'month' in when;
}

function sideOf(folded: string): Query['side'] {
  const up = GAIN.test(folded);
  const down = LOSS.test(folded);
  if (up === down) return 'both';
  return up ? 'up' : 'down';
}
