/**
 * The 25 problems of the usability review, each with the scene that shows its solution (`route: name` of scenes.ts), or without one, why
 * there is no picture. `was`: the scene that showed the same in a commit without this one.
 */
export const POINTS: readonly { text: string; scene?: string; was?: string; note?: string }[] = [
  {
    text: '1. A chart for every coin',
    scene: '/crypto/details/:cryptoId: compared',
    was: '/crypto/details/:cryptoId: content',
    note: 'The picture of before is of Bitcoin, the only coin that had a chart.',
  },
  { text: '2. The Free notice says what is included', scene: '/chat: empty' },
  { text: '3. One clock and one price for a coin', scene: '/crypto/details/:cryptoId: content' },
  { text: '4. Home has figures', scene: '/home: content' },
  { text: '5. "New Chat" covers no figure', scene: '/crypto: content' },
  { text: '6. What "Configure" is', scene: '/trading-bot/configure: content' },
  { text: '7. Levels of a chart picture have names', scene: '/chat/archive/:archiveId: answered picture' },
  { text: '8. A chart picture that cannot be read is declined', note: 'A rule of chart reading: docs/conformance.md names its tests.' },
  { text: '9. The analyst understands what is asked', note: 'A rule of the analyst: docs/conformance.md names its tests.' },
  { text: '10. Columns, and a coin that is open on wide screens', scene: '/crypto: content' },
  { text: "11. A coin opens with the list's figures", note: 'Its first frame: tests/e2e/market/coin-page.spec.ts.' },
  { text: "12. A bot's chart, and why its size differs", scene: '/trading-bot/bots/:botId: content' },
  { text: '13. One rounding of money', scene: '/trading-bot/bots/:botId: content' },
  { text: '14. Plans compared in a table', scene: '/pricing: content' },
  { text: '15. The watchlist is a tab of Crypto', scene: '/crypto/watchlist: content', was: '/settings/watchlist: content' },
  { text: '16. The period control fits', scene: '/crypto: content' },
  { text: '17. Titles of chats', scene: '/archive: content' },
  {
    text: '18. Search with prices, typos, / and Ctrl+K',
    scene: '/home: palette results',
    was: '/crypto/crypto-search: found',
  },
  { text: '19. Forced colors and more contrast', scene: '/settings/account: content', note: 'Run with --modes forced or contrast.' },
  { text: '20. Text at 200 %', scene: '/pricing: content', note: 'Run with --modes large.' },
  { text: '21. The age of data shows when it matters', scene: '/archive: content' },
  { text: "22. An answer's figure and a live one", scene: '/chat: first answer' },
  { text: '23. Filters take 1B and have presets', scene: '/crypto: filter' },
  { text: '24. Verification and login', scene: '/verification-email: content' },
  { text: '25. The indicator', scene: '/indicator: content' },
];
