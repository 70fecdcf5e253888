/** Kinds of coins that a question can ask for. */
export interface Category {
  /** In the plural, as part of a sentence. */
  name: string;
  words: RegExp;
  /** The provider's spellings of its tag. */
  slugs: readonly string[];
}

const CATEGORIES: readonly Category[] = [
  { name: 'meme coins', words: /\bmemes?( ?(coins?|tokens?))?\b|\bmemecoins?\b/, slugs: ['memes'] },
  { name: 'layer 1 coins', words: /\b(layer[- ]?(1s?|ones?)|l1s?)\b/, slugs: ['layer-1'] },
  { name: 'layer 2 coins', words: /\b(layer[- ]?(2s?|twos?)|l2s?|rollups?)\b/, slugs: ['layer-2'] },
  { name: 'stablecoins', words: /\bstable ?coins?\b/, slugs: ['stablecoin'] },
  { name: 'DeFi coins', words: /\bdefi\b|\bdecentrali[sz]ed finance\b/, slugs: ['defi'] },
  { name: 'AI coins', words: /\b(ai|artificial intelligence)( and big data)? (coins?|tokens?|cryptos?)\b/, slugs: ['ai-big-data'] },
  { name: 'gaming coins', words: /\b(gaming|game|gamefi)( coins?| tokens?| cryptos?)?\b/, slugs: ['gaming'] },
  { name: 'privacy coins', words: /\bprivacy( coins?| tokens?)?\b/, slugs: ['privacy'] },
  { name: 'exchange coins', words: /\bexchange (coins?|tokens?)\b/, slugs: ['centralized-exchange', 'centralized-exchange-token'] },
  { name: 'oracle coins', words: /\boracles?( coins?| tokens?)?\b/, slugs: ['oracles'] },
  { name: 'NFT coins', words: /\bnfts?( coins?| tokens?)?\b/, slugs: ['collectibles-nfts'] },
  { name: 'metaverse coins', words: /\bmetaverse( coins?| tokens?)?\b/, slugs: ['metaverse'] },
  { name: 'DePIN coins', words: /\bdepins?( coins?| tokens?)?\b/, slugs: ['depin'] },
  { name: 'coins of real-world assets', words: /\brwas?( coins?| tokens?)?\b|\breal[- ]world assets?\b/, slugs: ['real-world-assets'] },
];

/** Finds the kind of coins that a folded question asks for. */
export const askedCategory = (folded: string): Category | undefined => CATEGORIES.find(({ words }) => words.test(folded));
