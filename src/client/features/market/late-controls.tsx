import { type ComponentType, useEffect, useState } from 'react';
import { contentShown } from '../../platform/cache/first-content';
import { useReachable } from '../../platform/live/reachability';
import { whenIdle } from '../../platform/when-idle';
import { Skeleton } from '../../ui/skeleton';
import styles from './late-controls.module.css';
import type { ListControlsProps } from './list-controls';

/** How long the controls may wait for the figures, ms. */
const LONGEST_WAIT = 5_000;
/** px, as wide as what they stand in for. */
const OUTLINES = [104, 114, 99, 90];

let loaded: ComponentType<ListControlsProps> | undefined;

async function load(): Promise<ComponentType<ListControlsProps>> {
  if (loaded) return loaded;
  await whenIdle(); // by then the page has said what it waits for
  await contentShown(LONGEST_WAIT);
  await whenIdle();
  const { ListControls } = await import('./list-controls');
  loaded = ListControls;
  return ListControls;
}

/** The list's controls. Their code comes after the figures, which are what people came for. */
export function LateControls(props: ListControlsProps) {
  const reachable = useReachable();
  const [Controls, show] = useState(() => loaded);

  // Code that could not be had is asked for again whenever the connection changes.
  // biome-ignore lint/correctness/useExhaustiveDependencies: `reachable` is the reason, not a part of it
  useEffect(() => {
    load().then(
      (controls) => show(() => controls),
      (error) => console.error('the controls could not be loaded', error),
    );
  }, [reachable]);

  return (
    <div className={styles.place}>
      {Controls ? (
        <Controls {...props} />
      ) : (
        <div className={styles.outlines}>
          {OUTLINES.map((width) => (
            <Skeleton key={width} width={width} height="var(--target)" radius="var(--radius-round)" />
          ))}
        </div>
      )}
    </div>
  );
}
