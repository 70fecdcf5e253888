/** Highest plausible fee of a market order, as a share of its value: ten times what exchanges charge. */
const MAX_FEE = 0.006;

/** Returns the account's fee of a market order as a share of its value; null if the exchange tells none, or an impossible one. */
export async function readTakerFee(read: () => Promise<number | undefined>): Promise<number | null> {
  // A key that is refused fails the check that this is a part of.
  const fee = await read().catch(() => undefined);
  return fee !== undefined && fee > 0 && fee <= MAX_FEE ? fee : null;
}
