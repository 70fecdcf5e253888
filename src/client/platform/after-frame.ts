/** Longest wait for a frame, ms: a covered window may draw none, and neither does a page that is hidden meanwhile. */
export const FRAME_TIMEOUT = 1_000;

/** Calls `run` after the next frame is drawn; at once on a hidden page. Returns a function that cancels it. */
export function afterFrame(run: () => void): () => void {
  const frame = requestAnimationFrame(() => {
    clearTimeout(timer);
    timer = setTimeout(run);
  });
  const cancel = () => {
    cancelAnimationFrame(frame);
    clearTimeout(timer);
  };
  let timer = setTimeout(
    () => {
      cancel();
      run();
    },
    document.hidden ? 0 : FRAME_TIMEOUT,
  );
  return cancel;
}
