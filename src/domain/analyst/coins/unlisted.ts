const NOT_COINS = new Set(
  `the it this that them a an my your his her one these those each all every any crypto cryptos coin coins token tokens market markets
   bitcoin gold silver oil usd eur dollar dollars today now and or price prices me you what which how top best worst risk entry bot
   bots trading premium pro basic free plan plans subscription api ai faq kyc help support login account profile image chart charts
   trades trade gas nft defi stop order leverage i usdt stocks stock nasdaq sp500 s&p tesla apple`.split(/\s+/),
);

/** Finds names that a question uses like a coin but that are unknown. They contain only letters, digits, dots and dashes. */
export function unlistedCoins(text: string): string[] {
  const name = String.raw`\$?([\p{L}\p{N}][\p{L}\p{N}.-]{1,19})`;
  const patterns = [
    /\$(\p{L}[\p{L}\p{N}]{1,9})\b/gu,
    new RegExp(String.raw`\b(?:price|value|market cap|marketcap|volume|cost|rank|supply)\s+(?:of|for)\s+(?:the\s+)?${name}`, 'giu'),
    new RegExp(String.raw`\b${name}(?:'s)?\s+(?:price|coin|token|market cap|marketcap|fdv)\b`, 'giu'),
    new RegExp(String.raw`\b(?:add|put|save|remove|delete)\s+${name}\s+(?:to|on|from)\b`, 'giu'),
    new RegExp(String.raw`\balert\s+(?:for|on)\s+${name}`, 'giu'),
    new RegExp(String.raw`\bhow (?:much )?is ${name}(?: (?:doing|trading|worth|today))*\s*\??$`, 'giu'),
  ];
  const names = patterns.flatMap((pattern) => [...text.matchAll(pattern)].map((match) => (match[1] ?? '').replace(/[.-]+$/, '')));
  const plausible = names.filter((found) => found.length > 1 && !NOT_COINS.has(found.toLowerCase()) && !/^\d+$/.test(found));
  return [...new Map(plausible.map((found) => [found.toLowerCase(), found])).values()].slice(0, 3);
}
