/**
 * Runs `round` with 1, 2, … up to `rounds` times. After the first one, it starts another only if all would end within
 * `limit` ms. Returns how many it ran.
 */
export async function runRounds(rounds: number, limit: number, round: (number: number) => Promise<void>): Promise<number> {
  const began = performance.now();
  let longest = 0;
  for (let number = 1; number <= rounds; number++) {
    const startedAt = performance.now();
    if (number > 1 && startedAt - began + longest > limit) return number - 1;
    await round(number);
    longest = Math.max(longest, performance.now() - startedAt);
  }
  return rounds;
}
