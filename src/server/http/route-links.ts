import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROUTE_FILES, type RouteFiles } from '#domain/route-files.ts';

/** Returns whether an address matches a pattern of the client's router, such as `/chat/archive/:archiveId`. */
function matches(pattern: string, segments: readonly string[]): boolean {
  const parts = segmentsOf(pattern);
  return parts.length === segments.length && parts.every((part, at) => part.startsWith(':') || part === segments[at]);
}

const segmentsOf = (path: string) => path.split('/').filter(Boolean);

const linkOf = (file: string) => (file.endsWith('.css') ? `<${file}>; rel=preload; as=style; crossorigin` : `<${file}>; rel=modulepreload`);

/**
 * Reads the built client's list of files. Returns a function that tells the values of the `Link` header for an
 * address, so that a browser requests the code of its page with the main script; none for an address without a page.
 */
export function routeLinks(clientDir: string): (path: string) => readonly string[] {
  const list = join(clientDir, ROUTE_FILES);
  const routes: RouteFiles = existsSync(list) ? JSON.parse(readFileSync(list, 'utf8')) : [];
  const links = routes.map(({ paths, files }) => ({ paths, values: files.map(linkOf) }));
  return (path) => {
    const segments = segmentsOf(path);
    return links.find(({ paths }) => paths.some((pattern) => matches(pattern, segments)))?.values ?? [];
  };
}
