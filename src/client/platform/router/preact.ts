/** The six names of Preact that preact-router 4.1.2 uses, on real React (docs/architecture.md, Router). */

import type { ReactElement, ReactNode } from 'react';
import {
  Children,
  type ComponentType,
  createElement,
  isValidElement,
  Component as ReactComponent,
  cloneElement as reactClone,
} from 'react';

export { createContext } from 'react';

const PARAMETER = /:([^/+*?]+)/g;

/**
 * The router spreads every query parameter over the props of the element it matched, so that
 * `/chat?component=iframe&srcDoc=…` would run a script. Only names in the element's own path pattern
 * pass, and never over a prop it already has.
 */
export function cloneElement(element: ReactElement<Record<string, unknown>>, extra: Record<string, unknown>) {
  const matches = extra.matches as Record<string, string | undefined>;
  const pattern = typeof element.props.path === 'string' ? element.props.path : '';
  const parameters = Object.fromEntries([...pattern.matchAll(PARAMETER)].map(([, name = '']) => [name, matches[name]]));
  return reactClone(element, { ...parameters, ...element.props, url: extra.url, matches });
}

/** preact-router/match passes `class` to its link. */
export function h(type: string | ComponentType, { class: className, ...props }: Record<string, unknown>, ...children: ReactNode[]) {
  return createElement(type, className === undefined ? props : { className, ...props }, ...children);
}

/** The router writes to the elements it is given; React freezes them, so it gets objects that inherit from them. */
export function toChildArray(children: ReactNode): ReactElement[] {
  const elements: ReactElement[] = [];
  Children.forEach(children, (child) => {
    if (isValidElement(child)) elements.push(Object.create(child) as ReactElement);
  });
  return elements;
}

export class Component<P = unknown, S = unknown> extends ReactComponent<P, S> {}

type Render = (this: ReactComponent, props: unknown, state: unknown, context: unknown) => ReactNode;

// The router does `Router.prototype = new Component()` and assigns its methods one by one, which these
// setters see. Preact hands props, state and context to `render`; React does not.
Object.defineProperties(Component.prototype, {
  render: {
    configurable: true,
    set(this: object, render: Render) {
      const value = function (this: ReactComponent) {
        return render.call(this, this.props, this.state, this.context);
      };
      Object.defineProperty(this, 'render', { configurable: true, writable: true, value });
    },
  },
  // Both only keep a flag that spares a second forceUpdate, which React batches anyway.
  componentWillMount: { configurable: true, set() {} },
  componentWillUpdate: { configurable: true, set() {} },
});
