import { type ComponentType, type ReactNode, useEffect, useState } from 'react';
import { afterContent } from '#client/platform/after-content.ts';
import { useReachable } from '#client/platform/live/use-reachable.ts';
import { Skeleton } from '#client/ui/feedback/skeleton.tsx';
import type { ListControlsProps } from '../filter/list-controls.tsx';
import { ControlsLine } from './controls-line.tsx';
import styles from './late-controls.module.css';

type Controls = ComponentType<ListControlsProps>;

/** px, as wide as what they stand in for: ranking, currency, count and period. */
const OUTLINES = [103, 121, 98, 90];

const outline = (
  <>
    <Skeleton height="var(--control)" radius="var(--radius-control)" />
    <ControlsLine>
      {OUTLINES.map((width) => (
        <Skeleton key={width} width={width} height="var(--target)" radius="var(--radius-round)" />
      ))}
    </ControlsLine>
  </>
);

let loaded: Controls | undefined;

async function load(): Promise<Controls> {
  if (loaded) return loaded;
  await afterContent();
  const { ListControls } = await import('../filter/list-controls.tsx');
  loaded = ListControls;
  return ListControls;
}

/** The list's controls around its search. Their code comes after the figures, which are what people came for. */
export function LateControls({ children, ...props }: ListControlsProps & { children: ReactNode }) {
  const reachable = useReachable();
  const [Loaded, show] = useState(() => loaded);

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
      {children}
      {Loaded ? <Loaded {...props} /> : outline}
    </div>
  );
}
