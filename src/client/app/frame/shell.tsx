import type { ReactNode } from 'react';
import { useReachable } from '#client/platform/live/use-reachable.ts';
import { ConnectionBar } from '#client/ui/feedback/connection-bar.tsx';
import styles from './shell.module.css';
import { TabBar } from './tab-bar.tsx';

interface ShellProps {
  path: string;
  /** Behind the guard: with rail or tab bar and the connection bar. */
  framed: boolean;
  /** The tab bar also shows on phones. */
  tabs: boolean;
  children: ReactNode;
}

/** The frame around every page: tabs below on phones, a rail on the left from 768 px. */
export function Shell({ path, framed, tabs, children }: ShellProps) {
  const reachable = useReachable();
  return (
    <div className={framed ? styles.frame : styles.bare} data-tabs={tabs}>
      {framed && <TabBar path={path} />}
      <main className={styles.page}>
        {framed && <ConnectionBar state={reachable ? 'online' : 'offline'} />}
        {children}
      </main>
    </div>
  );
}
