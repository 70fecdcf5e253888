/** Creates a gate: `passed` resolves once `open` is called. */
export function createGate() {
  let open = () => {};
  const passed = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { passed, open: () => open() };
}
