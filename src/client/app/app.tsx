import Router from 'preact-router';
import { lazy, type ReactNode, Suspense } from 'react';
import { SWRConfig, type SWRConfiguration } from 'swr';
import { afterContent } from '../platform/after-content.ts';
import { ApiError, NetworkError } from '../platform/api/errors.ts';
import { isReachable, onReachabilityChange } from '../platform/live/reachability.ts';
import { history, useLocation } from '../platform/router/history.ts';
import { ErrorBoundary } from './error-boundary.tsx';
import { Shell } from './frame/shell.tsx';
import { BeforeOnboarding, PublicOnly, RequireLogin, RequireProfile, RequireUser } from './guards.tsx';
import { isFramed } from './is-framed.ts';
import { PageSkeleton } from './page-skeleton.tsx';
import { NotFoundPage } from './pages/not-found-page.tsx';
import { type AppRoute, findRoute, isForUsers, routes, showsTabs } from './routes.tsx';

const AfterFirstScreen = lazy(async () => {
  await afterContent();
  return { default: (await import('./after-first-screen.tsx')).AfterFirstScreen };
});

/** SWR decides when to fetch; what it needs to know of the device comes from here. */
const swr: SWRConfiguration = {
  provider: () => new Map(), // only with a provider of its own does SWR call initReconnect
  isOnline: isReachable,
  initReconnect: (reconnect) => onReachabilityChange(() => isReachable() && reconnect()),
  // A server that cannot be reached is tried again when reachability says so; one that is in trouble, after a while.
  shouldRetryOnError: (error) => error instanceof ApiError && (error.status >= 500 || error.status === 429),
  onError: (error) => {
    if (!(error instanceof ApiError) && !(error instanceof NetworkError)) console.error('loading failed', error);
  },
};

const forUser = (children: ReactNode) => <RequireUser>{children}</RequireUser>;

const guards: Record<AppRoute['guard'], (children: ReactNode) => ReactNode> = {
  none: (children) => children,
  public: (children) => <PublicOnly>{children}</PublicOnly>,
  onboarding: (children) => <BeforeOnboarding>{children}</BeforeOnboarding>,
  inner: forUser,
  user: forUser,
  profile: (children) => forUser(<RequireProfile>{children}</RequireProfile>),
  account: (children) => (
    <RequireLogin>
      <RequireProfile>{children}</RequireProfile>
    </RequireLogin>
  ),
};

interface RoutedProps {
  path?: string;
  route: AppRoute;
  /** Added by the router. */
  matches?: Record<string, string | undefined>;
}

function Routed({ path = '', route, matches }: RoutedProps) {
  const { page: Page } = route;
  const parameters = [...path.matchAll(/:([^/]+)/g)].map(([, name = '']) => [name, matches?.[name]] as const);
  return (
    <ErrorBoundary>
      {guards[route.guard](
        <Suspense fallback={<PageSkeleton />}>
          <Page {...Object.fromEntries(parameters)} />
        </Suspense>,
      )}
    </ErrorBoundary>
  );
}

export function App() {
  const { pathname } = useLocation();
  const route = findRoute(pathname);
  return (
    <SWRConfig value={swr}>
      <Shell path={pathname} tabs={showsTabs(pathname)} framed={route !== undefined && isForUsers(route)}>
        <Router history={history}>
          {routes.flatMap((each) => each.paths.map((path) => <Routed key={each.paths[0]} path={path} route={each} />))}
          <NotFoundPage default />
        </Router>
      </Shell>
      {!isFramed && (
        <Suspense>
          <AfterFirstScreen />
        </Suspense>
      )}
    </SWRConfig>
  );
}
