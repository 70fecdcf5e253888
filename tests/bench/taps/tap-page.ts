import type { Files } from '../pages/build-pages.ts';
import { createCoins, formatCoin, STYLE } from '../pages/coins.ts';

const rows = (first: number) =>
  createCoins()
    .map((coin) => {
      const { texts, points } = formatCoin({ ...coin, rank: coin.rank + first });
      const cells = texts.map((text) => `<td>${text}</td>`).join('');
      return `<tr>${cells}<td><svg width="96" height="24" aria-hidden="true"><polyline points="${points}"/></svg></td></tr>`;
    })
    .join('');

/** A static page with 100 rows and a button that swaps them for 100 prepared others. */
export const tapPage = (): Files =>
  new Map([
    [
      '/',
      `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Swap</title><meta name="viewport" content="width=device-width">
<link rel="icon" href="data:,"><style>${STYLE}button{position:fixed;bottom:0;left:0;width:100%;height:56px}</style></head>
<body><main><table><tbody>${rows(0)}</tbody></table></main><button>Swap</button><script>
const screens = [document.querySelector('table'), document.createElement('table')];
screens[1].dataset.next = '';
screens[1].innerHTML = \`<tbody>${rows(100)}</tbody>\`;
let shown = 0;
document.querySelector('button').addEventListener('click', () => {
  shown = 1 - shown;
  document.querySelector('main').replaceChildren(screens[shown]);
});
</script></body></html>`,
    ],
  ]);
