/** The six exports of Preact that preact-router 4.1.2 uses, on React. vite.config.ts resolves `preact` to this file. */

import type { ReactElement, ReactNode } from 'react';
import { Children, isValidElement, Component as ReactComponent, cloneElement as reactClone } from 'react';

export { createContext, createElement as h } from 'react';

const PARAMETER = /:([^/+*?]+)/g;

/**
 * Clones the matched element with the parameters that its own path names. The router passes every query parameter as a
 * prop, so `/chat?component=iframe&srcDoc=…` would run a script; given props always win.
 */
export function cloneElement(element: ReactElement<Record<string, unknown>>, extra: Record<string, unknown>) {
  const matches = extra.matches as Record<string, string | undefined>;
  const pattern = typeof element.props.path === 'string' ? element.props.path : '';
  const parameters = Object.fromEntries([...pattern.matchAll(PARAMETER)].map(([, name = '']) => [name, matches[name]]));
  return reactClone(element, { ...parameters, ...element.props, url: extra.url, matches });
}

/** Returns the elements as objects that the router can write to: React freezes its own. */
export function toChildArray(children: ReactNode): ReactElement[] {
  const elements: ReactElement[] = [];
  Children.forEach(children, (child) => {
    if (isValidElement(child)) elements.push(Object.create(child) as ReactElement);
  });
  return elements;
}

export class Component<P = unknown, S = unknown> extends ReactComponent<P, S> {}

type Render = (this: ReactComponent, props: unknown, state: unknown, context: unknown) => ReactNode;

// The router sets `Router.prototype = new Component()` and assigns its methods one by one, which these setters catch.
// Preact passes props, state and context to `render`; React does not.
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
  // The router's own handlers only save a second forceUpdate, which React batches anyway.
  componentWillMount: { configurable: true, set() {} },
  componentWillUpdate: { configurable: true, set() {} },
});
