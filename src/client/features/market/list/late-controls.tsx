import { type ComponentType, type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { afterContent } from '#client/platform/after-content.ts';
import { firstScreen } from '#client/platform/first-screen/first-screen.ts';
import { useReachable } from '#client/platform/live/use-reachable.ts';
import { within } from '#client/platform/within.ts';
import { Skeleton } from '#client/ui/feedback/skeleton.tsx';
import { loadInter } from '#client/ui/theme/load-inter.ts';
import type { ListControlsProps } from '../filter/list-controls.tsx';
import { ControlsLine } from './controls-line.tsx';
import styles from './late-controls.module.css';

type Controls = ComponentType<ListControlsProps>;

const outline = (
  <>
    <Skeleton height="var(--control)" radius="var(--radius-control)" />
    <ControlsLine>
      <div className={styles.outlines}>
        {['ranking', 'currency', 'count', 'period'].map((name) => (
          <Skeleton key={name} width={`var(--${name})`} height="var(--target)" radius="var(--radius-round)" />
        ))}
      </div>
    </ControlsLine>
  </>
);

/** Until their code has loaded: the controls of the stored first screen, so that nothing flickers, or an outline. */
function Placeholder() {
  const place = useRef<HTMLDivElement>(null);
  const [drawn] = useState(() => firstScreen()?.querySelector('[data-late="controls"]'));
  useLayoutEffect(() => {
    const [, ...controls] = drawn?.children ?? [];
    place.current?.replaceChildren(...controls.map((control) => control.cloneNode(true)));
  }, [drawn]);
  return drawn ? <div ref={place} className={styles.drawn} inert /> : outline;
}

/** The longest wait for the font, ms. */
const FONT_LIMIT = 2_000;

let loaded: Controls | undefined;

async function load(): Promise<Controls> {
  if (loaded) return loaded;
  await afterContent();
  // The font would move controls that came before it.
  const font = within(
    FONT_LIMIT,
    loadInter().catch(() => undefined),
  );
  const [{ ListControls }] = await Promise.all([import('../filter/list-controls.tsx'), font]);
  loaded = ListControls;
  return ListControls;
}

/** The controls of the list. Their code loads after the figures, which users came for. */
export function LateControls({ children, ...props }: ListControlsProps & { children: ReactNode }) {
  const reachable = useReachable();
  const [Loaded, show] = useState(() => loaded);

  // Retries failed code when the connection changes.
  // biome-ignore lint/correctness/useExhaustiveDependencies: `reachable` triggers the retry
  useEffect(() => {
    load().then(
      (controls) => show(() => controls),
      (error) => console.error('the controls could not be loaded', error),
    );
  }, [reachable]);

  return (
    <div className={styles.place} data-late="controls">
      {children}
      {Loaded ? <Loaded {...props} /> : <Placeholder />}
    </div>
  );
}
