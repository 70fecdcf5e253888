import type { Term } from './term.ts';

/** Terms of a market and its figures. */
export const MARKET_TERMS: readonly Term[] = [
  {
    name: 'Market cap',
    also: ['market capitalization', 'market capitalisation', 'marketcap', 'mcap'],
    meaning:
      'The price of one coin times the number of coins in circulation. It tells how large a coin is as a whole, which the price of one coin does not. It is not money that was paid in: a few trades can move it by billions.',
    figure: 'known',
  },
  {
    name: 'Fully diluted value',
    also: ['fdv', 'fully diluted valuation', 'fully diluted market cap', 'fully diluted'],
    meaning:
      "What the market cap would be at today's price if every coin that will ever exist were already out. Far above the market cap, it says that many coins are still to come, and with them sellers.",
    figure: 'known',
  },
  {
    name: 'Volume',
    also: ['trading volume', '24h volume', 'turnover'],
    meaning:
      'The worth of all trades in a stretch of time, here 24 hours. High volume means that orders find a counterparty easily and that a move has many hands behind it. Exchanges report it themselves, so some of it may be inflated.',
    figure: 'known',
  },
  {
    name: 'Volume to market cap',
    also: ['vol/mkt cap', 'volume market cap ratio', 'volume to cap'],
    meaning:
      "The day's volume as a share of the market cap. A few percent is usual for large coins. Very high shows heavy speculation or an event, very low a coin that is hard to sell.",
    figure: 'known',
  },
  {
    name: 'Liquidity',
    also: ['liquid', 'illiquid'],
    meaning:
      'How much can be bought or sold without moving the price. In an illiquid coin even a small order gets a poor price, and in a panic there may be no buyer at all.',
  },
  {
    name: 'Circulating supply',
    also: ['coins in circulation'],
    meaning: 'The coins that exist and can be traded today. Locked, reserved or not yet created coins are left out.',
    figure: 'known',
  },
  {
    name: 'Total supply',
    also: [],
    meaning: 'The coins that exist today, locked ones included, less those destroyed for good.',
    figure: 'known',
  },
  {
    name: 'Max supply',
    also: ['maximum supply', 'supply cap', 'hard cap'],
    meaning:
      'The most coins there can ever be. Bitcoin stops at 21 million; some coins have no limit, so that holders are diluted for as long as new ones are made.',
    figure: 'known',
  },
  {
    name: 'Dominance',
    also: ['bitcoin dominance', 'btc dominance', 'market dominance'],
    meaning:
      "One coin's share of the market cap of all coins. Rising Bitcoin dominance often means that money leaves smaller coins for the largest one, falling dominance that it spreads out.",
    figure: 'known',
  },
  {
    name: 'Altcoin',
    also: ['alts', 'altcoins', 'alt season', 'altseason'],
    meaning:
      'Any coin but Bitcoin. They often rise and fall more than Bitcoin. A period in which most of them beat it is called alt season.',
  },
  {
    name: 'Memecoin',
    also: ['meme coin', 'shitcoin'],
    meaning:
      'A coin that lives on a joke and on attention rather than on a use. Such coins can multiply in days and lose nearly everything as fast.',
  },
  {
    name: 'Stablecoin',
    also: ['stable coin', 'peg', 'depeg'],
    meaning:
      'A coin meant to stay at a fixed price, mostly one dollar, backed by reserves, by other coins or by rules. It depegs when the market stops believing in that backing, which has happened, to zero in one famous case.',
  },
  {
    name: 'Volatility',
    also: ['volatile'],
    meaning:
      'How far and how fast a price swings. Twice the volatility means twice the loss on a bad day for the same position, so position sizes should shrink as it grows.',
    figure: 'unknown',
  },
  {
    name: 'Bull market',
    also: ['bullish', 'bull run', 'bull'],
    meaning: 'A long rise in which most setbacks are bought. Bullish means expecting higher prices. It is only certain in hindsight.',
  },
  {
    name: 'Bear market',
    also: ['bearish', 'bear', 'crypto winter'],
    meaning:
      'A long fall in which most rallies are sold. Bearish means expecting lower prices. Bitcoin has lost more than 70% in several of them, smaller coins more.',
  },
  {
    name: 'Whale',
    also: ['whale wallet'],
    meaning:
      'A holder so large that a single trade can move the price. Their transfers are watched, but a transfer to an exchange does not prove that a sale follows.',
  },
  {
    name: 'Fear and greed index',
    also: ['fear and greed', 'fear & greed', 'market sentiment'],
    meaning:
      'A score from 0 (extreme fear) to 100 (extreme greed) mixed from volatility, volume, searches and the like. It describes the mood of today and says little about tomorrow. I have no figure of it.',
    figure: 'unknown',
  },
  {
    name: 'All-time high',
    also: ['ath', 'all time high', 'atl', 'all-time low'],
    meaning:
      "The highest price ever traded (ATH), as ATL is the lowest. Many holders compare today's price with it, which makes it a level that is watched.",
  },
  {
    name: 'ROI',
    also: ['return on investment', 'return'],
    meaning:
      'The gain or loss as a share of what was put in: 150 from 100 is a return of 50%. Without the time it took and the risk it carried, it says little.',
    figure: 'unknown',
  },
  {
    name: 'FOMO',
    also: ['fear of missing out', 'fud'],
    meaning:
      'Fear of missing out: buying because a price runs away. Its counterpart FUD (fear, uncertainty, doubt) is selling on bad talk. Both decide in a hurry what should be decided by plan.',
  },
  {
    name: 'Pump and dump',
    also: ['rug pull', 'rugpull', 'pump'],
    meaning:
      'A scheme in which a price is talked up so that its organizers can sell to those who arrive late. In a rug pull the makers of a coin take the liquidity and leave. Thin, new coins are where both happen.',
  },
  {
    name: 'HODL',
    also: ['hodling', 'diamond hands'],
    meaning:
      'Holding through every fall, after a misspelt "hold". It spares fees and bad timing, and it also holds on to what never comes back.',
  },
];
