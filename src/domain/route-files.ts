/** Name of the file in the built client that lists the files of each route. The build writes it; the server reads it. */
export const ROUTE_FILES = 'route-files.json';

/** Begins the address of the first script, the only one of a page that is no module. */
export const FIRST_SCRIPT_ADDRESS = '/assets/first-script-';

/** Patterns of a page's addresses, and the addresses of the scripts and styles that it needs, in the order to request them. */
export type RouteFiles = readonly { paths: readonly string[]; files: readonly string[] }[];

/** Names of the app's page in the built client: one that waits for its styles, and one that paints the splash before them. */
export const INDEX_HTML = 'index.html';
export const VISIT_HTML = 'visit.html';

/** Returns the files of the page at an address: those of the first route with a pattern, such as `/chat/archive/:archiveId`, that it matches. */
export function filesOfPage(routes: RouteFiles, path: string): readonly string[] {
  const segments = segmentsOf(path);
  return routes.find(({ paths }) => paths.some((pattern) => matches(pattern, segments)))?.files ?? [];
}

function matches(pattern: string, segments: readonly string[]): boolean {
  const parts = segmentsOf(pattern);
  return parts.length === segments.length && parts.every((part, at) => part.startsWith(':') || part === segments[at]);
}

const segmentsOf = (path: string) => path.split('/').filter(Boolean);
