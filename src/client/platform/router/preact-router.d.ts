import type { Component, ReactNode } from 'react';

export interface RoutableProps {
  path?: string;
  default?: boolean;
}

export interface CustomLocation {
  pathname: string;
  search: string;
}

export interface CustomHistory {
  readonly location: CustomLocation;
  listen(changed: (update: { location: CustomLocation }) => void): () => void;
  push(path: string): void;
  replace(path: string): void;
}

export interface RouterProps {
  children?: ReactNode;
  history?: CustomHistory;
}

export default class Router extends Component<RouterProps> {}
/** Returns the parameters of `url` by the pattern `path`; false if it does not match. */
export function exec(url: string, path: string, options: { default?: boolean }): Record<string, string> | false;
