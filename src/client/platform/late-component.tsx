import { type ComponentType, lazy, Suspense, useState } from 'react';
import { runOnce } from '#domain/run-once.ts';

export type Load<Props> = () => Promise<{ default: ComponentType<Props> }>;

interface LateComponent<Props> {
  component: ComponentType<Props>;
  load: Load<Props>;
  /** Whether the code has loaded. */
  isHere: () => boolean;
}

/**
 * Creates a component whose code loads on demand. Loaded code renders at once; React's `lazy` would show the fallback for
 * 300 ms.
 */
export function lateComponent<Props extends object>(code: Load<Props>): LateComponent<Props> {
  let loaded: ComponentType<Props> | undefined;
  const load = runOnce(async () => {
    const module = await code();
    loaded = module.default;
    return module;
  });
  const Late = lazy(load) as ComponentType<Props>;
  const component = (props: Props) => {
    // Decided once, so that the component keeps its state when its code arrives.
    const [Shown] = useState(() => loaded ?? Late);
    return <Shown {...props} />;
  };
  return { component, load, isHere: () => loaded !== undefined };
}

/** Creates a component that shows nothing until its code has loaded, and nothing if that fails: the page works without it. */
export function optionalComponent<Props extends object>(code: Load<Props>): ComponentType<Props> {
  const Optional = lazy<ComponentType<Props>>(() => code().catch(() => ({ default: () => null })));
  return (props) => (
    <Suspense>
      <Optional {...props} />
    </Suspense>
  );
}
