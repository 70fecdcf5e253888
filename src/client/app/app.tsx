import Router from 'preact-router';
import { lazy, type ReactNode, Suspense } from 'react';
import { SWRConfig } from 'swr';
import { afterContent } from '../platform/after-content.ts';
import { staleness } from '../platform/cache/staleness.ts';
import { history, useLocation } from '../platform/router/history.ts';
import { ErrorBoundary } from './error-boundary.tsx';
import { Shell } from './frame/shell.tsx';
import { BeforeOnboarding, PublicOnly, RequireLogin, RequireProfile, RequireUser } from './guards.tsx';
import { isFramed } from './is-framed.ts';
import { PageSkeleton } from './page-skeleton.tsx';
import { NotFoundPage } from './pages/not-found-page.tsx';
import { type AppRoute, isForUsers, routes } from './routes.tsx';

const AfterFirstScreen = lazy(async () => {
  await afterContent();
  return { default: (await import('./after-first-screen.tsx')).AfterFirstScreen };
});

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
  /** The pattern of the address; undefined on the page for unknown addresses. */
  path?: string;
  /** Shown for an address that no path matches. */
  default?: boolean;
  route?: AppRoute;
  /** Set by the router: the values of the pattern's parameters. */
  matches?: Record<string, string | undefined> | undefined;
}

/** Renders the page that the router matched, in the app's frame. */
function Routed({ path = '', route, matches }: RoutedProps) {
  const { pathname } = useLocation();
  return (
    <Shell path={pathname} tabs={route?.tabs.includes(path) ?? false} framed={route !== undefined && isForUsers(route)}>
      {/* The key keeps one page mounted between the addresses of its route. */}
      <ErrorBoundary key={route?.paths[0]}>
        {route ? <RoutePage path={path} route={route} matches={matches} /> : <NotFoundPage />}
      </ErrorBoundary>
    </Shell>
  );
}

function RoutePage({ path, route, matches }: Required<Pick<RoutedProps, 'path' | 'route'>> & Pick<RoutedProps, 'matches'>) {
  const { page: Page } = route;
  const parameters = [...path.matchAll(/:([^/]+)/g)].map(([, name = '']) => [name, matches?.[name]] as const);
  return guards[route.guard](
    <Suspense fallback={<PageSkeleton />}>
      <Page {...Object.fromEntries(parameters)} />
    </Suspense>,
  );
}

// One key for all keeps the frame mounted from page to page.
const pages = routes.flatMap((route) => route.paths.map((path) => <Routed key="page" path={path} route={route} />));

export function App() {
  return (
    <SWRConfig value={staleness}>
      <Router history={history}>
        {pages}
        <Routed key="page" default />
      </Router>
      {!isFramed && (
        <Suspense>
          <AfterFirstScreen />
        </Suspense>
      )}
    </SWRConfig>
  );
}
