import { act, render, screen } from '@testing-library/react';
import Router from 'preact-router';
import { beforeEach, describe, expect, it } from 'vitest';
import { goBack, history, useLocation } from '#client/platform/router/history.ts';
import { decodable } from '#client/platform/router/url-guard.ts';

interface PageProps {
  path?: string;
  default?: boolean;
  name: string;
  id?: string;
  children?: string;
}

function Page({ name, id = 'none', ...others }: PageProps) {
  const given = Object.keys(others).filter((key) => !['path', 'default', 'url', 'matches'].includes(key));
  return (
    <p>
      {name} {id} {given.join()}
    </p>
  );
}

function Where() {
  const { pathname, hash, state } = useLocation();
  return <p>{`${pathname}${hash} ${JSON.stringify(state) ?? ''}`}</p>;
}

function App() {
  return (
    <Router history={history}>
      <Page path="/home" name="home" />
      <Page path="/coin/:id" name="coin" />
      <Page default name="lost" />
    </Router>
  );
}

const shown = () => screen.getByRole('paragraph').textContent?.trim();
const go = (url: string, state?: unknown) => act(() => history.push(url, state));

beforeEach(() => window.history.replaceState(null, '', '/home'));

describe('preact-router on React', () => {
  it('shows the page of an address, its parameters, and the default page', () => {
    render(<App />);
    go('/coin/1027');
    expect(shown()).toBe('coin 1027');
    go('/nowhere');
    expect(shown()).toBe('lost none');
    act(() => history.replace('/home'));
    expect(shown()).toBe('home none');
  });

  it('follows plain links', () => {
    render(
      <>
        <a href="/coin/5">five</a>
        <App />
      </>,
    );
    act(() => screen.getByText('five').click());
    expect(shown()).toBe('coin 5');
  });

  it('does not pass query parameters as props', () => {
    render(<App />);
    go('/coin/1?children=evil&dangerouslySetInnerHTML=x&name=evil&component=iframe&srcDoc=%3Cscript%3E');
    expect(shown()).toBe('coin 1');
  });

  it('survives a stray percent sign in the address', () => {
    render(<App />);
    go('/coin/1?q=100%');
    expect(shown()).toBe('coin 1');
    expect(decodable('?q=100%')).toBe('?q=100%25');
    expect(decodable('?q=a%20b')).toBe('?q=a%20b');
  });
});

describe('history', () => {
  it('keeps navigation state', () => {
    render(<Where />);
    go('/coin/1', { from: 'list' });
    expect(shown()).toBe('/coin/1 {"from":"list"}');
    go('/home');
    expect(shown()).toBe('/home');
  });

  it('goes back one step, two from an address with a hash, and to the parent page without history', () => {
    const steps: number[] = [];
    const native = window.history.go;
    window.history.go = (delta = 0) => void steps.push(delta);
    try {
      render(<Where />);
      act(() => goBack('/archive'));
      expect(shown()).toBe('/archive');
      expect(steps).toEqual([]);
      go('/coin/1');
      goBack();
      go('/pricing');
      go('/pricing#pro');
      goBack();
      expect(steps).toEqual([-1, -2]);
    } finally {
      window.history.go = native;
    }
  });
});
