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
export function route(url: string, replace?: boolean): boolean;
