import { createHash } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { CHART_FRAME_PATH } from '#contract/paths.ts';
import { badRequest } from './errors.ts';

/** The charting provider's script, and the origins of the frames that it opens. */
const PROVIDER_SCRIPT = 'https://s3.tradingview.com/external-embedding/embed-widget-advanced-chart.js';
const PROVIDER_FRAMES = ['https://www.tradingview-widget.com', 'https://s.tradingview.com'];

/** Time limit for the provider's chart to load, ms. */
const LOAD_TIMEOUT_MS = 8000;

/** The provider's name of a coin: its symbol and the currency. */
const SYMBOL = /^[A-Z0-9]{1,15}USD$/;

/** Runs in the frame. The provider's script reads its settings from its own element. Messages only say whether the chart loaded, */
/** so any parent may read them. */
const SCRIPT = `
const tell = (type) => { clearTimeout(silent); parent.postMessage({ type }, '*') };
const silent = setTimeout(tell, ${LOAD_TIMEOUT_MS}, 'chart-failed');
document.addEventListener('load', ({ target }) => { if (target.tagName === 'IFRAME') tell('chart-ready') }, true);
const provider = document.createElement('script');
provider.src = ${JSON.stringify(PROVIDER_SCRIPT)};
provider.onerror = () => tell('chart-failed');
provider.textContent = JSON.stringify({
  autosize: true,
  symbol: new URLSearchParams(location.search).get('symbol'),
  interval: 'D',
  timezone: 'Etc/UTC',
  theme: 'dark',
  style: '1',
  locale: 'en',
  allow_symbol_change: false,
});
document.querySelector('.tradingview-widget-container').append(provider);
`;

const PAGE = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="color-scheme" content="dark">
    <title>Daily chart</title>
    <style>
      html, body, .tradingview-widget-container, .tradingview-widget-container__widget { height: 100%; margin: 0 }
      body { background: #131c2e; overflow: hidden }
    </style>
  </head>
  <body>
    <div class="tradingview-widget-container"><div class="tradingview-widget-container__widget"></div></div>
    <script>${SCRIPT}</script>
  </body>
</html>
`;

/** Sandboxes the provider: its script cannot reach our origin or its storage. */
const POLICY = [
  'sandbox allow-scripts allow-popups',
  "default-src 'none'",
  `script-src 'sha256-${createHash('sha256').update(SCRIPT).digest('base64')}' ${new URL(PROVIDER_SCRIPT).origin}`,
  // The provider's script adds inline styles.
  "style-src 'unsafe-inline'",
  `frame-src ${PROVIDER_FRAMES.join(' ')}`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'self'",
].join(';');

/** Serves the charting provider's widget as a page that the app frames. */
export function chartFrame(app: FastifyInstance): void {
  app.get<{ Querystring: { symbol?: unknown } }>(CHART_FRAME_PATH, async ({ query: { symbol } }, reply) => {
    if (typeof symbol !== 'string' || !SYMBOL.test(symbol)) throw badRequest('validation', 'Not a symbol of a chart.');
    return reply
      .header('content-security-policy', POLICY)
      .removeHeader('x-frame-options')
      .header('cache-control', 'no-cache')
      .type('text/html; charset=utf-8')
      .send(PAGE);
  });
}
