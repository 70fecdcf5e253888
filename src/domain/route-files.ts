/** Name of the file in the built client that lists the files of each route. The build writes it; the server reads it. */
export const ROUTE_FILES = 'route-files.json';

/** Patterns of a page's addresses, and the addresses of the scripts and styles that it needs. */
export type RouteFiles = readonly { paths: readonly string[]; files: readonly string[] }[];

/** Names of the app's page in the built client: one that waits for its styles, and one that paints the splash before them. */
export const INDEX_HTML = 'index.html';
export const VISIT_HTML = 'visit.html';
