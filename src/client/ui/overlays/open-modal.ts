const modals = new Set<HTMLDialogElement>();

/**
 * Opens a modal dialog, and keeps the page under it from scrolling until it is closed. Returns the function that closes it.
 * The page is marked by an attribute: `html:has(dialog:modal)` would restyle the whole page at each element that it gets.
 */
export function openModal(dialog: HTMLDialogElement): () => void {
  const mark = () => document.documentElement.toggleAttribute('data-modal', modals.size > 0);
  const closed = () => {
    modals.delete(dialog);
    mark();
  };
  dialog.showModal();
  modals.add(dialog);
  mark();
  dialog.addEventListener('close', closed);
  return () => {
    dialog.removeEventListener('close', closed);
    dialog.close();
    closed();
  };
}
