import { type ReactNode, useEffect } from 'react';
import { useReachable } from '#client/platform/live/use-reachable.ts';
import { preloadWhenIdle } from '#client/platform/preload-when-idle.ts';
import { useSession } from '#client/platform/session/use-session.ts';
import { ConnectionBar } from '#client/ui/feedback/connection-bar.tsx';
import { routes } from '../routes.tsx';
import styles from './shell.module.css';
import { TabBar } from './tab-bar.tsx';

interface ShellProps {
  path: string;
  /** Shows the navigation and the connection bar. */
  framed: boolean;
  /** Shows the tab bar on phones too. */
  tabs: boolean;
  children: ReactNode;
}

/** Pages with the tab bar are a tap or two away from each other. */
const tabPages = routes.filter(({ tabs }) => tabs.length > 0).map(({ load }) => load);
/** The pages of visitors, and the page after them. */
const visitorPages = routes.filter(({ guard, paths }) => guard === 'public' || paths.includes('/home')).map(({ load }) => load);

/** Renders the frame around every page. */
export function Shell({ path, framed, tabs, children }: ShellProps) {
  const reachable = useReachable();
  const { status } = useSession();
  const next = framed ? tabPages : status === 'signed-out' ? visitorPages : undefined;
  useEffect(() => next && preloadWhenIdle(next), [next]);
  return (
    <div className={framed ? styles.frame : styles.bare} data-tabs={tabs}>
      {framed && <TabBar path={path} />}
      <main className={styles.page}>
        {framed ? <ConnectionBar state={reachable ? 'online' : 'offline'}>{children}</ConnectionBar> : children}
      </main>
    </div>
  );
}
