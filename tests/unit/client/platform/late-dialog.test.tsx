import { act, render, screen } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { lateDialog } from '#client/platform/late-dialog.tsx';
import { toasts } from '#client/platform/toast.ts';

interface Props {
  name: string;
  onClose: () => void;
}

const Rename = ({ name }: Props) => <p>{`Rename ${name}`}</p>;
const onClose = vi.fn();
const show = (Dialog: ReturnType<typeof lateDialog<Props>>) => (
  <main>
    the page
    <Dialog name="ada" onClose={onClose} />
  </main>
);

const told = () => toasts.get().map(({ message }) => message);
const MESSAGE = 'This could not load. Check your connection, or reload the page.';

beforeEach(() => {
  vi.clearAllMocks();
  toasts.set([]);
});

test('a dialog shows once its code has loaded, and in the first render after that', async () => {
  const Dialog = lateDialog(async () => ({ default: Rename }));
  const { unmount } = render(show(Dialog));
  await screen.findByText('Rename ada');
  unmount();
  render(show(Dialog));
  expect(screen.getByText('Rename ada')).toBeTruthy();
  expect(onClose).not.toHaveBeenCalled();
});

test('a dialog whose code does not load closes with a message, keeps its page, and is tried again when it opens again', async () => {
  const code = vi.fn(() => Promise.resolve({ default: Rename }));
  code.mockRejectedValueOnce(new TypeError('no connection'));
  const Dialog = lateDialog(code);
  const { unmount } = render(show(Dialog));
  await vi.waitFor(() => expect(onClose).toHaveBeenCalledOnce());
  expect(screen.getByRole('main').textContent).toBe('the page');
  expect(told()).toEqual([MESSAGE]);
  unmount();
  render(show(Dialog));
  await screen.findByText('Rename ada');
  expect(told()).toEqual([MESSAGE]);
});

test('a dialog that is closed while its code loads says nothing of its failure', async () => {
  let fail = (_error: Error) => {};
  const Dialog = lateDialog<Props>(() => new Promise((_resolve, reject) => (fail = reject)));
  const { unmount } = render(show(Dialog));
  unmount();
  await act(async () => fail(new TypeError('no connection')));
  expect(told()).toEqual([]);
  expect(onClose).not.toHaveBeenCalled();
});
