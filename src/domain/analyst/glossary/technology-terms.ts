import type { Term } from './term.ts';

/** Terms of the technology and of storing coins. */
export const TECHNOLOGY_TERMS: readonly Term[] = [
  {
    name: 'Blockchain',
    also: ['distributed ledger'],
    meaning:
      'A ledger that many computers keep together, in blocks that each seal the one before. No one can rewrite it alone or undo a payment sent by mistake.',
  },
  {
    name: 'Cryptocurrency',
    also: ['crypto', 'coin and token', 'difference between a coin and a token'],
    meaning:
      "Money or rights kept on a blockchain rather than at a bank. A coin belongs to a chain of its own (BTC, ETH); a token lives on another one's chain. Their prices rest on what buyers will pay.",
  },
  {
    name: 'Bitcoin halving',
    also: ['halving', 'halvening'],
    meaning:
      'Every 210,000 blocks, about four years, the number of new bitcoins for each block is cut in half; in April 2024 to 3.125. It slows new supply and is known to everybody beforehand.',
  },
  {
    name: 'Mining',
    also: ['miner', 'proof of work', 'pow', 'hash rate', 'hashrate'],
    meaning:
      'Securing a chain by solving costly puzzles (proof of work) for a reward in new coins and fees. The hash rate is the computing power that does so; attacking the chain would take more than half of it.',
    figure: 'unknown',
  },
  {
    name: 'Staking',
    also: ['proof of stake', 'pos', 'validator', 'stake'],
    meaning:
      'Locking coins to help secure a proof-of-stake chain and earning new coins for it. The yield is paid in the coin, so a falling price can outweigh it, and unlocking may take days.',
    figure: 'unknown',
  },
  {
    name: 'DeFi',
    also: ['decentralized finance', 'decentralised finance'],
    meaning:
      'Lending, trading and saving through programs on a blockchain instead of through a company. No one has to let you in, and no one makes good what a bug or a thief takes.',
  },
  {
    name: 'DEX',
    also: ['decentralized exchange', 'decentralised exchange', 'cex', 'centralized exchange', 'amm'],
    meaning:
      'An exchange run by programs, where you trade from your own wallet against pools of coins. A CEX is a company that keeps your coins for you: more convenient, and only as safe as the company.',
  },
  {
    name: 'TVL',
    also: ['total value locked'],
    meaning:
      'Total value locked: the value deposited in a DeFi program. It shows use and trust. It also rises with prices, without new deposits.',
    figure: 'unknown',
  },
  {
    name: 'Yield farming',
    also: ['yield', 'apy', 'apr', 'liquidity mining', 'liquidity pool', 'impermanent loss'],
    meaning:
      'Earning fees or new tokens for lending or pooling coins. APY counts compounding and APR does not. A high yield is the price of a high risk: of the program, of the token paid out, and of pooled prices drifting apart.',
    figure: 'unknown',
  },
  {
    name: 'Smart contract',
    also: ['dapp'],
    meaning:
      'A program on a blockchain that runs as written and holds funds by itself. It needs no trust in a person and all the more in its code.',
  },
  {
    name: 'NFT',
    also: ['non fungible token', 'non-fungible token'],
    meaning:
      'A token that is one of a kind, mostly standing for a picture, a ticket or an item in a game. Owning it rarely means owning the rights to what it shows.',
  },
  {
    name: 'Gas',
    also: ['gas fee', 'network fee', 'transaction fee', 'gwei'],
    meaning:
      'What a chain charges for a transaction, in its own coin. It rises when many want into the next block, and it is due even when the transaction fails.',
    figure: 'unknown',
  },
  {
    name: 'Layer 1',
    also: ['layer 2', 'l1', 'l2', 'rollup', 'layer one', 'layer two', 'sidechain'],
    meaning:
      'A layer 1 is a blockchain with security of its own, such as Bitcoin or Ethereum. A layer 2 runs on top of one, bundles transactions to make them cheap, and leans on the layer below for safety.',
  },
  {
    name: 'Wallet',
    also: ['cold wallet', 'hot wallet', 'hardware wallet', 'cold storage', 'self custody', 'custody'],
    meaning:
      'What keeps the keys to your coins. A hot wallet is connected to the internet, a cold one is not. The owner of the keys owns the coins. For coins on an exchange, that is the exchange.',
  },
  {
    name: 'Private key',
    also: ['seed phrase', 'recovery phrase', 'seed', 'public key'],
    meaning:
      'The secret that moves your coins, often written as 12 or 24 words. Anyone who learns it can take everything, and no one can restore it. Honest support never asks for it.',
  },
  {
    name: 'Airdrop',
    also: ['air drop'],
    meaning:
      'Tokens handed out for free to spread a project or reward early users. Many fall as receivers sell, and some ask for a signature that empties the wallet.',
  },
  {
    name: 'Token unlock',
    also: ['unlock', 'vesting', 'token vesting', 'cliff'],
    meaning:
      'The day on which tokens held back for a team or investors become tradable. The dates are public, and the extra supply can weigh on the price.',
    figure: 'unknown',
  },
  {
    name: 'Token burn',
    also: ['burn', 'coin burn', 'burning'],
    meaning: 'Destroying coins by sending them to an address that no one can spend from. Fewer coins help the price only if demand stays.',
  },
  {
    name: 'Tokenomics',
    also: ['token economics'],
    meaning:
      "How a coin's supply is made, handed out, locked and destroyed, and why anybody would hold it. Who got how much, and when they may sell, matters most.",
  },
  {
    name: 'ICO',
    also: ['initial coin offering', 'ido', 'ieo', 'presale', 'launchpad'],
    meaning:
      'The first sale of a new token, directly (ICO), through an exchange (IEO) or a decentralised one (IDO). Most such tokens have ended below their sale price.',
  },
  {
    name: 'ETF',
    also: ['spot etf', 'bitcoin etf', 'exchange traded fund'],
    meaning:
      'A fund traded on a stock exchange. A spot Bitcoin ETF holds bitcoins, so that people can take part through a broker without keeping keys, for a yearly fee.',
  },
  {
    name: 'Oracle',
    also: ['price feed', 'price oracle'],
    meaning:
      'A service that brings outside facts such as prices onto a blockchain. A wrong oracle makes a correct program do the wrong thing.',
  },
  {
    name: 'Fork',
    also: ['hard fork', 'soft fork'],
    meaning:
      "A change of a chain's rules. A soft fork stays compatible; a hard fork does not, and splits the chain in two when not everybody follows, as with Bitcoin and Bitcoin Cash.",
  },
  {
    name: 'KYC',
    also: ['know your customer', 'aml'],
    meaning:
      'Know your customer: the identity checks that exchanges have to make against money laundering. It means that they know who you are and must keep that safe.',
  },
  {
    name: 'Satoshi',
    also: ['sat', 'sats'],
    meaning: 'The smallest part of a bitcoin, a hundred-millionth of it, named after its unknown inventor Satoshi Nakamoto.',
  },
];
