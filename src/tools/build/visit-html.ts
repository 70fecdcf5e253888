import type { Plugin } from 'vite';
import { INDEX_HTML, VISIT_HTML } from '#domain/route-files.ts';

const BLOCKING = /[ \t]*(<script\s+src="\/theme\.js"><\/script>|<link rel="stylesheet"[^>]*>)\n?/g;
const AFTER_SPLASH = '<noscript>';

/** Moves what blocks the first paint, the appearance and the styles, behind the splash. Throws if it does not find both. */
export function visitHtml(html: string): string {
  const blocking = [...html.matchAll(BLOCKING)].map(([, tag]) => tag);
  if (blocking.length !== 2 || !html.includes(AFTER_SPLASH)) throw new Error(`unexpected ${INDEX_HTML}: ${blocking.join()}`);
  return html.replace(BLOCKING, '').replace(AFTER_SPLASH, `${blocking.join('')}${AFTER_SPLASH}`);
}

/** Writes the page for visits that come over the network. The worker serves index.html, whose styles it has at once. */
export const visitHtmlPlugin = (): Plugin => ({
  name: 'tidemark:visit-html',
  apply: 'build',
  enforce: 'post',
  generateBundle(_options, bundle) {
    const index = bundle[INDEX_HTML];
    if (index?.type !== 'asset') throw new Error(`the build has no ${INDEX_HTML}`);
    this.emitFile({ type: 'asset', fileName: VISIT_HTML, source: visitHtml(String(index.source)) });
  },
});
