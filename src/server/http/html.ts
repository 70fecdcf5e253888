import type { FastifyReply } from 'fastify';
import { API_PREFIX } from '#contract/paths.ts';
import { PRODUCT } from '#domain/product.ts';

/** Path of the stylesheet of the server's own pages: the content security policy forbids inline styles. */
const PAGE_CSS_PATH = `${API_PREFIX}/page.css`;

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** Escaped markup. Only `html` creates it. */
class Html {
  constructor(readonly markup: string) {}
}

/** Builds markup and escapes every inserted value, except markup from this function. */
export function html(strings: TemplateStringsArray, ...values: readonly (string | Html | readonly Html[])[]): Html {
  const render = (value: string | Html): string =>
    value instanceof Html ? value.markup : value.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
  const filled = values.map((value) => (value instanceof Html || typeof value === 'string' ? render(value) : value.map(render).join('')));
  return new Html(String.raw({ raw: strings }, ...filled));
}

/** Sends a complete HTML page. */
export function sendPage(reply: FastifyReply, status: number, title: string, body: Html): FastifyReply {
  const page = html`<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="dark light">
    <title>${title} · ${PRODUCT}</title>
    <link rel="icon" href="/favicon.svg">
    <link rel="stylesheet" href="${PAGE_CSS_PATH}">
  </head>
  <body>
    <main>
      <h1>${title}</h1>
      ${body}
    </main>
  </body>
</html>
`;
  return reply.code(status).header('cache-control', 'no-store').type('text/html; charset=utf-8').send(page.markup);
}

/** Repeats the client's colors, because these pages do not load the client build. */
export const PAGE_CSS = `:root { --bg: #f7f9fc; --surface: #ffffff; --line: #d9e1ec; --ink: #0d1626; --ink-2: #51607a; --tide: #087a8c; --on-tide: #ffffff }
@media (prefers-color-scheme: dark) {
  :root { --bg: #0b1220; --surface: #131c2e; --line: #28344f; --ink: #e8eefc; --ink-2: #9fb0d0; --tide: #35c5d6; --on-tide: #0b1220 }
}
* { box-sizing: border-box }
body { margin: 0; background: var(--bg); color: var(--ink); font: 16px/1.5 Inter, system-ui, sans-serif }
main { max-width: 640px; margin: 0 auto; padding: 32px 16px }
h1 { font-size: 28px; line-height: 1.2; margin: 0 0 8px }
h2 { font-size: 16px; margin: 0 }
p { margin: 0 0 16px; color: var(--ink-2) }
a { color: var(--tide) }
a, button { border-radius: 8px }
:focus-visible { outline: 2px solid var(--tide); outline-offset: 2px }
input { display: block; width: 100%; min-height: 48px; margin-top: 8px; padding: 0 16px; border: 1px solid var(--line); border-radius: 8px; background: var(--surface); color: var(--ink); font: inherit }
[role=alert] { color: var(--ink) }
button { min-height: 48px; padding: 0 24px; border: 0; background: var(--tide); color: var(--on-tide); font: inherit; font-weight: 600; cursor: pointer }
ol { list-style: none; margin: 24px 0 0; padding: 0; display: grid; gap: 12px }
li { background: var(--surface); border: 1px solid var(--line); border-radius: 12px; padding: 16px; overflow-wrap: anywhere }
li p { margin: 0; font-size: 14px }
.code { margin: 12px 0 0; color: var(--ink); font-size: 36px; font-weight: 600; line-height: 1.2; letter-spacing: 0.2em; font-variant-numeric: tabular-nums }
pre { margin: 12px 0 0; font: inherit; font-size: 14px; white-space: pre-wrap }
`;
