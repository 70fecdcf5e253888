import { act, render, screen } from '@testing-library/react';
import { Suspense, useState } from 'react';
import { expect, test } from 'vitest';
import { lateComponent, optionalComponent } from '#client/platform/late-component.tsx';

interface Props {
  name: string;
}

const Code = ({ name }: Props) => {
  const [first] = useState(name);
  return <p>{`${first} then ${name}`}</p>;
};

const show = (Page: ReturnType<typeof lateComponent<Props>>['component'], name: string) => (
  <Suspense fallback={<p>loading</p>}>
    <Page name={name} />
  </Suspense>
);

test('loaded code renders without the fallback', async () => {
  const { component, load } = lateComponent(async () => ({ default: Code }));
  await load();
  render(show(component, 'ada'));
  expect(screen.queryByText('loading')).toBeNull();
  expect(screen.getByText('ada then ada')).toBeTruthy();
});

test('code that is still loading shows the fallback, then the page, which keeps its state', async () => {
  const { component } = lateComponent(async () => ({ default: Code }));
  const { rerender } = render(show(component, 'ada'));
  expect(screen.getByText('loading')).toBeTruthy();
  await screen.findByText('ada then ada');
  await act(async () => rerender(show(component, 'bob')));
  expect(screen.getByText('ada then bob')).toBeTruthy();
});

test('a page shows an optional component once its code has loaded, and works without it', async () => {
  const Hint = optionalComponent(async () => ({ default: () => <p>a hint</p> }));
  const Broken = optionalComponent<object>(() => Promise.reject(new Error('no connection')));
  await act(async () =>
    render(
      <main>
        <Hint />
        <Broken />
        the page
      </main>,
    ),
  );
  expect(screen.getByRole('main').textContent).toBe('a hintthe page');
});
