/** Each id is the one before plus the number: small numbers compress better, and the first screen loads them. */
const STEPS = [
  1, 1, 50, 22, 35, 22, 197, 184, 313, 202, 141, 153, 55, 61, 18, 63, 141, 25, 13, 1, 22, 12, 33, 20, 46, 8, 57, 62, 8, 9, 35, 1, 76, 193,
  114, 22, 51, 96, 23, 48, 48, 12, 383, 78, 253, 194, 33, 5, 21, 133, 28, 135, 7, 23, 43, 11, 25, 91, 15, 97, 289, 84, 49, 14, 142, 96, 91,
  142, 174, 76, 62, 144, 60, 113, 159, 30, 216, 325, 1, 2, 98, 83, 29, 35, 109, 60, 128, 3, 103, 40, 52, 48, 8, 97, 117, 402, 50, 119, 306,
  101, 120, 270, 188, 377, 1027, 21, 74, 188, 628, 421, 1, 16, 543, 1455, 246, 1170, 3998, 622, 505, 245, 306, 22, 616, 209, 897, 170, 113,
  175, 359, 970, 169, 381, 1053, 994, 697, 309, 96, 144, 3, 886, 260, 2982, 232, 196, 400, 2084, 1098,
];
let id = 0;

/**
 * CoinMarketCap ids of the coins whose logo ships with the app, as /coins/{id}.webp. Saves requests for other logos. A test
 * compares it with src/tools/build/coin-icons.json.
 */
export const LOCAL_COINS: ReadonlySet<number> = new Set(STEPS.map((step) => (id += step)));
