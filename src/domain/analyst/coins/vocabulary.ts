/**
 * Vocabulary of the coin finder, folded (lower case, no accents). Coins are identified by their CoinMarketCap id, because
 * symbols are shared and names change.
 */
const words = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

/** Nicknames of coins besides name and symbol. */
export const NICKNAMES: Readonly<Record<number, readonly string[]>> = {
  1: ['bitcoins', 'xbt'],
  2: ['litecoins'],
  52: ['ripple'],
  74: ['dogecoins', 'doge coin'],
  825: ['tether'],
  1027: ['ether', 'ethers'],
  1839: ['binance coin', 'bnb chain', 'binance smart chain'],
  1975: ['chain link'],
  2087: ['kucoin'],
  3408: ['usd coin'],
  3635: ['crypto.com coin'],
  3773: ['fetch.ai', 'fetchai', 'asi alliance'],
  3957: ['leo token'],
  4642: ['hashgraph', 'hedera hashgraph'],
  5994: ['shiba', 'shib inu'],
  6210: ['sandbox'],
  6535: ['near'],
  6538: ['curve', 'curve dao', 'curve finance'],
  6636: ['polka dot'],
  6783: ['axie'],
  8000: ['lido'],
  11419: ['ton coin', 'the open network'],
  13502: ['world coin'],
  16086: ['bittorrent'],
  24478: ['pepe coin'],
  27772: ['pyth'],
  28321: ['polygon', 'matic'],
  29420: ['virtuals'],
  32684: ['sonic', 'fantom', 'ftm'],
  35336: ['trump coin', 'trump memecoin'],
  35347: ['melania coin'],
};

/** Names and symbols that are also ordinary words. In lower case they need the context of coins. */
export const EVERYDAY = words(`
  link hype dot near om leo ton apt trump ray atom vet gt sand gala neo ron cake theta avalanche stellar cosmos stacks
  quant mantle mantra jupiter sonic flare curve sandbox immutable uni pol spx melania tao ripple virtuals
`);

/** Very common words, which count as coins only next to a clear sign. */
export const VERY_COMMON = words('s ip op etc one move movement story optimism render flow maker virtual');

/** Names of several words that occur in ordinary sentences ("show the graph"). */
export const VERY_COMMON_NAMES: ReadonlySet<string> = new Set(['the graph']);

/** Symbols that mean something else even in capitals. */
export const COMMON_IN_CAPITALS = words('s ip');

/** Words after a coin: "sand price". */
export const AFTER_A_COIN = words(`
  price prices coin coins token tokens crypto protocol network blockchain cap marketcap mcap volume supply fdv rank usd usdt value dominance turnover
`);

/** Periods between a coin and such a word: "sand 24h volume". */
export const PERIODS_AFTER_A_COIN = words('24h 24hr 24hrs 1h 1d 7d 30d 60d 90d hourly daily weekly monthly');

/** Words before "of" and a coin: "price of sand". */
export const FIGURES_OF = words('price value cap marketcap mcap volume supply rank fdv performance change amount worth cost');

/** Words directly before a coin: "compare near with …". */
export const BEFORE_A_COIN = words('coin token crypto vs versus compare altcoin');

/** Words after a coin in an open question: "how is near doing today". */
export const QUESTION_ENDS = words('doing today now going right currently looking performing trading worth please this week month at then');

/** Words before a coin in an open question: "tell me about near". */
export const QUESTION_STARTS = words('about is of for hows s and are');

export const ARTICLES = words('a an the my your this that any some');

/** Words between the coins of a list. */
export const CONNECTORS = words('vs versus and or against with plus');

/** Words that connect only to the coin after them: "2 eth to link", but not "link to bitcoin". */
export const LEADS_TO = words('to than');

/** Words that end a list and are not coins. */
export const ENDS_LISTS = words('etc');

/** Quote currencies of a pair: BTC/USDT, ETHUSD. */
export const PAIR_ENDS = ['usdt', 'usdc', 'busd', 'fdusd', 'usd', 'perp'] as const;

/** Phrases with a coin's name that mean another coin or no coin. */
export const OTHER_COINS = [
  'wrapped bitcoin',
  'wrapped btc',
  'wrapped ether',
  'wrapped ethereum',
  'wrapped eth',
  'bitcoin gold',
  'bitcoin diamond',
  'ethereum pow',
  'baby doge',
] as const;
export const NO_COINS = [
  'ripple effect',
  'ripple effects',
  'donald trump',
  'president trump',
  'trump administration',
  'market maker',
  'order flow',
  'cash flow',
] as const;

/** Ordinary words that are one typo away from a coin's name. */
export const NOT_TYPOS = words(
  'celestial injection injected inject header radium uniswaps together whether either bitcoiner bitcoiners arbitrary polygons chains',
);
