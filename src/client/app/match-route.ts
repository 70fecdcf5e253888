import { exec } from 'preact-router';
import { type AppRoute, type PageCode, routes } from './routes.tsx';

interface Match {
  route: AppRoute;
  /** The pattern of `route.paths` that the address matches. */
  path: string;
}

/** Returns the route of an address by the router's own matcher; undefined for an unknown address. */
export function matchRoute(pathname: string): Match | undefined {
  for (const route of routes) {
    const path = route.paths.find((pattern) => exec(pathname, pattern, {}));
    if (path !== undefined) return { route, path };
  }
  return undefined;
}

/** Returns whether an address shows the tab bar on phones. */
export function showsTabs(pathname: string): boolean {
  const match = matchRoute(pathname);
  return match?.route.tabs.includes(match.path) ?? false;
}

/** Starts loading the code of the page at `pathname`. If it fails, the page shows the error when it renders. */
export const preloadRoute = async (pathname: string): Promise<PageCode | undefined> =>
  matchRoute(pathname)
    ?.route.load()
    .catch(() => undefined);
