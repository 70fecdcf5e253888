import { act, render, screen } from '@testing-library/react';
import { Suspense, useState } from 'react';
import { expect, test } from 'vitest';
import { latePage } from '#client/app/late-page.tsx';

const Code = ({ name }: Record<string, string | undefined>) => {
  const [first] = useState(name);
  return <p>{`${first} then ${name}`}</p>;
};

const show = (Page: ReturnType<typeof latePage>['page'], name: string) => (
  <Suspense fallback={<p>loading</p>}>
    <Page name={name} />
  </Suspense>
);

test('loaded code renders without the fallback', async () => {
  const { page, load } = latePage(async () => ({ default: Code }));
  await load();
  render(show(page, 'ada'));
  expect(screen.queryByText('loading')).toBeNull();
  expect(screen.getByText('ada then ada')).toBeTruthy();
});

test('code that is still loading shows the fallback, then the page, which keeps its state', async () => {
  const { page } = latePage(async () => ({ default: Code }));
  const { rerender } = render(show(page, 'ada'));
  expect(screen.getByText('loading')).toBeTruthy();
  await screen.findByText('ada then ada');
  await act(async () => rerender(show(page, 'bob')));
  expect(screen.getByText('ada then bob')).toBeTruthy();
});
