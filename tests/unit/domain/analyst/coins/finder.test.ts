import { describe, expect, it } from 'vitest';
import { findCoins } from '#domain/analyst/coins/finder.ts';
import { unlistedCoins } from '#domain/analyst/coins/unlisted.ts';
import { stillMarket } from '#tests/support/market/market.ts';
import { quickest } from '#tests/support/processes/cpu-time.ts';

const coins = stillMarket().known();
const symbols = (text: string) => [...new Set(findCoins(text, coins).mentions.map(({ coin }) => coin.symbol))].join(' ');

describe('findCoins', () => {
  it.each([
    // Names, tickers, several of them.
    ['What is the price of Bitcoin?', 'BTC'],
    ['btc', 'BTC'],
    ['$btc', 'BTC'],
    ['$SOL to the moon', 'SOL'],
    ['eth and sol', 'ETH SOL'],
    ['BTC ETH LTC', 'BTC ETH LTC'],
    ["bitcoin's volume", 'BTC'],
    ['BÍTCOIN', 'BTC'],
    ['bitcoins', 'BTC'],
    ['ether', 'ETH'],
    ['internet computer', 'ICP'],
    ['Shiba Inu', 'SHIB'],
    ['fetch.ai', 'FET'],
    ['crypto.com coin', 'CRO'],
    ['matic', 'POL'],
    ['USDe', 'USDe'],
    ['XAUt', 'XAUt'],
    // The longest name wins.
    ['bitcoin cash', 'BCH'],
    ['bitcoin and bitcoin cash', 'BTC BCH'],
    ['ethereum classic price', 'ETC'],
    ['tether gold', 'XAUt'],
    ['the ethereum name service', 'ENS'],
    // Pairs.
    ['BTC/USDT', 'BTC'],
    ['BTCUSDT', 'BTC'],
    ['ethusd', 'ETH'],
    ['SOL-PERP', 'SOL'],
    ['usdt vs usdc', 'USDT USDC'],
    // Typing errors in long names.
    ['etherium', 'ETH'],
    ['dogecion price', 'DOGE'],
    ['solona', 'SOL'],
    ['cardanno', 'ADA'],
    ['litcoin', 'LTC'],
    ['either way, together with the header', ''],
    ['an injection of liquidity', ''],
    // Words that are coins only sometimes.
    ['near', 'NEAR'],
    ['NEAR', 'NEAR'],
    ['how is near doing today', 'NEAR'],
    ['near price', 'NEAR'],
    ['ripple 24h turnover', 'XRP'],
    ['near daily volume', 'NEAR'],
    ['10 link worth', 'LINK'],
    ['how much is 10 link', 'LINK'],
    ['chapter 10 link', ''],
    ['a ripple in 24h', ''],
    ["near's market cap", 'NEAR'],
    ['near vs sand', 'NEAR SAND'],
    ['eth, near and sol', 'ETH NEAR SOL'],
    ['What do you think of Near then', 'NEAR'],
    ['is btc near its high', 'BTC'],
    ['near term view of bitcoin', 'BTC'],
    ['support near 90k', ''],
    ['what about link?', 'LINK'],
    ['send me a link', ''],
    ['link to bitcoin chart', 'BTC'],
    ['2 eth to link', 'ETH LINK'],
    ['the sandbox', 'SAND'],
    ['head in the sand', ''],
    ['dot price', 'DOT'],
    ['dot com bubble', ''],
    ['a ton of bitcoin', 'BTC'],
    ['how will the price move', ''],
    ['one coin to rule them all', ''],
    ['stellar performance', ''],
    ['stellar price', 'XLM'],
    ['avalanche of sell orders', ''],
    ['AVAX or avalanche', 'AVAX'],
    ['optimism about bitcoin', 'BTC'],
    ['tell me about Optimism', 'OP'],
    ['show me the graph of bitcoin', 'BTC'],
    ['the graph price', 'GRT'],
    ['The Graph', 'GRT'],
    ['maker fee', ''],
    ['market maker', ''],
    ['maker price', 'MKR'],
    ['order flow', ''],
    ['flow token', 'FLOW'],
    ['bitcoin, ethereum, etc', 'BTC ETH'],
    ['ETC price', 'ETC'],
    ["ripple's price", 'XRP'],
    ['the ripple effects', ''],
    ['what did president trump say', ''],
    ['trump coin', 'TRUMP'],
    // Single letters and abbreviations.
    ["what's up", ''],
    ["what's the price", ''],
    ['S&P 500', ''],
    ['$S', 'S'],
    ['the S price', 'S'],
    ['sonic and fantom', 'S'],
    ['my IP address', ''],
    ['$IP', 'IP'],
    // Capitals without meaning.
    ['SHOULD WE MOVE ON TO SOMETHING ELSE', ''],
    ['Where Is The Next Story For Us', ''],
    ['HOW IS SOLANA DOING', 'SOL'],
    // Names of other coins.
    ['wrapped bitcoin price', ''],
    ['bitcoin gold', ''],
    ['', ''],
    ['🚀🚀', ''],
    ['$', ''],
  ])('%j: %s', (text, expected) => expect(symbols(text)).toBe(expected));

  it('returns the position of each coin', () => {
    expect(findCoins('compare eth, sol', coins).mentions.map(({ start, end }) => [start, end])).toEqual([
      [8, 11],
      [13, 16],
    ]);
  });

  it('reports unlisted coins with similar names', () => {
    expect(findCoins('wrapped bitcoin vs eth', coins)).toMatchObject({
      unlisted: ['wrapped bitcoin'],
      mentions: [{ coin: { symbol: 'ETH' } }],
    });
  });

  it('reads a shared symbol as the largest coin, and takes lower-case tickers of obscure coins for words', () => {
    const shared = [
      { id: 1, name: 'Bitcoin', symbol: 'BTC', rank: 1 },
      { id: 7001, name: 'Fan Token', symbol: 'FAN', rank: 900 },
      { id: 7002, name: 'Bridged Copy', symbol: 'BTC', rank: 800 },
    ];
    const ids = (text: string) => findCoins(text, shared).mentions.map(({ coin }) => coin.id);
    expect(ids('btc')).toEqual([1]);
    expect(ids('a big fan of it')).toEqual([]);
    expect(ids('what about FAN')).toEqual([7001]);
    expect(ids('fan price')).toEqual([7001]);
  });

  it('stays quick on a long question', () => {
    const text = 'near sand and link, move the story flow '.repeat(15);
    expect(quickest(() => findCoins(text, coins), 500)).toBeLessThan(500);
  });
});

describe('unlistedCoins', () => {
  it.each([
    ['$WIF', ['WIF']],
    ['price of foocoin', ['foocoin']],
    ['LUNA price', ['LUNA']],
    ["what is luna's price", ['luna']],
    ['what is the price', []],
    ['price of it', []],
    ['$100', []],
    ['price of <script>alert(1)</script>', []],
    ['how much is it worth', []],
    ['', []],
  ])('%j: %j', (text, expected) => expect(unlistedCoins(text)).toEqual(expected));
});
