/** Loads ccxt's class of one exchange, because the package's index would load a hundred. */
export async function loadCcxt<Class>(exchange: string): Promise<Class> {
  const file = new URL(`./src/${exchange}.js`, import.meta.resolve('ccxt')).href;
  const loaded = (await import(/* @vite-ignore */ file)) as { default: Class };
  return loaded.default;
}
