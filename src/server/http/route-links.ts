import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { FIRST_SCRIPT_ADDRESS, filesOfPage, ROUTE_FILES, type RouteFiles } from '#domain/route-files.ts';

function linkOf(file: string): string {
  if (file.startsWith(FIRST_SCRIPT_ADDRESS)) return `<${file}>; rel=preload; as=script; fetchpriority=high`;
  return file.endsWith('.css') ? `<${file}>; rel=preload; as=style; crossorigin` : `<${file}>; rel=modulepreload`;
}

/**
 * Reads the built client's list of files. Returns a function that tells the values of the `Link` header for an
 * address, so that a browser requests the code of its page with the main script; none for an address without a page.
 */
export function routeLinks(clientDir: string): (path: string) => readonly string[] {
  const list = join(clientDir, ROUTE_FILES);
  const routes: RouteFiles = existsSync(list) ? JSON.parse(readFileSync(list, 'utf8')) : [];
  const links = routes.map(({ paths, files }) => ({ paths, files: files.map(linkOf) }));
  return (path) => filesOfPage(links, path);
}
