import { fireEvent, render, screen } from '@testing-library/react';
import { useState } from 'react';
import { describe, expect, it, vi } from 'vitest';
import { ConfirmDialog, Dialog } from '#client/ui/overlays/dialog.tsx';

function Page({ onClose = () => {} }: { onClose?: () => void }) {
  const [open, setOpen] = useState(false);
  const close = () => {
    onClose();
    setOpen(false);
  };
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        Rename
      </button>
      <Dialog open={open} onClose={close} title="Rename chat">
        <input aria-label="Title" data-autofocus />
        <input type="file" aria-label="File" />
      </Dialog>
    </>
  );
}

function openDialog(onClose?: () => void) {
  render(<Page {...(onClose && { onClose })} />);
  const opener = screen.getByRole('button', { name: 'Rename' });
  opener.focus();
  fireEvent.click(opener);
  return { opener, dialog: screen.getByRole<HTMLDialogElement>('dialog') };
}

const cancelEvent = () => new Event('cancel', { cancelable: true, bubbles: true });

describe('Dialog', () => {
  it('is modal, named by its title, and focuses the given element', () => {
    const showModal = vi.spyOn(HTMLDialogElement.prototype, 'showModal');
    const { dialog } = openDialog();
    expect(showModal).toHaveBeenCalledOnce();
    expect(dialog.open).toBe(true);
    expect(screen.getByRole('dialog', { name: 'Rename chat' })).toBe(dialog);
    expect(document.activeElement).toBe(screen.getByLabelText('Title'));
    showModal.mockRestore();
  });

  it('closes itself before it leaves the page, so that the browser gives the focus back', () => {
    const close = vi.spyOn(HTMLDialogElement.prototype, 'close').mockImplementation(function (this: HTMLDialogElement) {
      expect(this.isConnected).toBe(true);
    });
    openDialog();
    fireEvent.click(screen.getByRole('button', { name: 'Close' }));
    expect(close).toHaveBeenCalledOnce();
    expect(screen.queryByRole('dialog')).toBeNull();
    close.mockRestore();
  });

  it('marks the page that must not scroll while a modal is open, one above another included', () => {
    const isMarked = () => document.documentElement.hasAttribute('data-modal');
    const both = (lower: boolean, upper: boolean) => (
      <>
        <Dialog open={lower} onClose={() => {}} title="Lower">
          Lower one
        </Dialog>
        <Dialog open={upper} onClose={() => {}} title="Upper">
          Upper one
        </Dialog>
      </>
    );
    const { rerender, unmount } = render(both(true, true));
    expect(isMarked()).toBe(true);
    rerender(both(true, false));
    expect(isMarked()).toBe(true);
    rerender(both(false, false));
    expect(isMarked()).toBe(false);
    rerender(both(true, false));
    expect(isMarked()).toBe(true);
    unmount();
    expect(isMarked()).toBe(false);
  });

  it('lets the page scroll once the browser has closed a modal that its owner keeps', () => {
    render(
      <Dialog open onClose={() => {}} title="Kept">
        <input aria-label="Title" />
      </Dialog>,
    );
    fireEvent(screen.getByRole('dialog'), new Event('close'));
    expect(document.documentElement.hasAttribute('data-modal')).toBe(false);
  });

  it('passes Escape to its owner once', () => {
    const onClose = vi.fn();
    const { dialog } = openDialog(onClose);
    const wish = cancelEvent();
    fireEvent(dialog, wish);
    expect(wish.defaultPrevented).toBe(true);
    expect(onClose).toHaveBeenCalledOnce();
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  it('stays open when the user cancels a file picker in it', () => {
    const onClose = vi.fn();
    openDialog(onClose);
    fireEvent(screen.getByLabelText('File'), cancelEvent());
    expect(onClose).not.toHaveBeenCalled();
  });

  it('closes on a backdrop click, not on a drag that started inside', () => {
    const onClose = vi.fn();
    const { dialog } = openDialog(onClose);
    fireEvent.mouseDown(screen.getByLabelText('Title'));
    fireEvent.click(dialog);
    expect(onClose).not.toHaveBeenCalled();
    fireEvent.mouseDown(dialog);
    fireEvent.click(dialog);
    expect(onClose).toHaveBeenCalledOnce();
  });
});

describe('ConfirmDialog', () => {
  it('names the action on its button and focuses Cancel', () => {
    const onConfirm = vi.fn();
    const onClose = vi.fn();
    render(
      <ConfirmDialog open title="Delete chat?" confirm="Delete" danger onConfirm={onConfirm} onClose={onClose}>
        The chat and its answers are lost.
      </ConfirmDialog>,
    );
    const cancel = screen.getByRole('button', { name: 'Cancel' });
    expect(document.activeElement).toBe(cancel);
    fireEvent.click(screen.getByRole('button', { name: 'Delete' }));
    expect(onConfirm).toHaveBeenCalledOnce();
    expect(onClose).not.toHaveBeenCalled();
    fireEvent.click(cancel);
    expect(onClose).toHaveBeenCalledOnce();
  });
});
