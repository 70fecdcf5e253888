import { LONG_NAME, SHORTEST_NAME } from '#domain/market/typos.ts';

const MAX_SLIPS = 2;
const NONE = Number.POSITIVE_INFINITY;

/** A trie of names, so that names with a common prefix are compared once. Node 0 is the root. */
class NameTree {
  readonly letters = [0];
  readonly firstChild = [0];
  readonly sibling = [0];
  /** Rank of the name that ends at a node, and the best rank at or below it. */
  readonly ends = [NONE];
  readonly least = [NONE];
  longest = 0;

  childOf(node: number, letter: number): number {
    let child = this.firstChild[node] ?? 0;
    while (child !== 0 && this.letters[child] !== letter) child = this.sibling[child] ?? 0;
    return child;
  }

  add(name: string, rank: number): void {
    this.longest = Math.max(this.longest, name.length);
    let node = 0;
    for (let at = 0; at < name.length; at++) {
      const letter = name.charCodeAt(at);
      node = this.childOf(node, letter) || this.addChild(node, letter);
      this.least[node] = Math.min(this.least[node] ?? NONE, rank);
    }
    this.ends[node] = Math.min(this.ends[node] ?? NONE, rank);
  }

  private addChild(node: number, letter: number): number {
    const child = this.letters.push(letter) - 1;
    this.sibling.push(this.firstChild[node] ?? 0);
    this.firstChild.push(0);
    this.firstChild[node] = child;
    this.ends.push(NONE);
    this.least.push(NONE);
    return child;
  }
}

/** Returns the best rank of a name with the same first letter within `slips` edits; Infinity if there is none. */
function findSimilar(tree: NameTree, word: string, slips: number): number {
  const { letters, firstChild, sibling, ends, least } = tree;
  if (word.length > tree.longest + slips) return NONE;
  // One row of edit distances per depth: each cell compares the path with a prefix of the word.
  const width = word.length + 1;
  const cells = new Uint8Array(width * (width + slips + 1)).fill(slips + 1);
  for (let column = 0; column <= Math.min(slips, word.length); column++) cells[column] = column;
  let best = NONE;

  function look(node: number, above: number, depth: number): void {
    for (let child = firstChild[node] ?? 0; child !== 0; child = sibling[child] ?? 0) {
      const letter = letters[child] ?? 0;
      if ((least[child] ?? 0) >= best || (depth === 1 && letter !== word.charCodeAt(0))) continue;
      if (fillRow(letter, above, depth) > slips) continue;
      if ((cells[depth * width + word.length] ?? 0) <= slips) best = Math.min(best, ends[child] ?? NONE);
      look(child, letter, depth + 1);
    }
  }

  /** Fills the row of a path that ends with `above` and `letter`. Only cells near the diagonal can be within the limit. */
  function fillRow(letter: number, above: number, depth: number): number {
    const row = depth * width;
    const from = Math.max(1, depth - slips);
    const to = Math.min(word.length, depth + slips);
    cells[row + from - 1] = from === 1 ? Math.min(depth, slips + 1) : slips + 1;
    if (to < word.length) cells[row + to + 1] = slips + 1;
    let lowest = cells[row + from - 1] ?? 0;
    for (let column = from; column <= to; column++) {
      const upLeft = cells[row - width + column - 1] ?? 0;
      const same = word.charCodeAt(column - 1) === letter;
      let cost = Math.min((cells[row - width + column] ?? 0) + 1, (cells[row + column - 1] ?? 0) + 1, same ? upLeft : upLeft + 1);
      if (column > 1 && depth > 1 && word.charCodeAt(column - 2) === letter && word.charCodeAt(column - 1) === above)
        cost = Math.min(cost, (cells[row - 2 * width + column - 2] ?? 0) + 1);
      cells[row + column] = cost;
      lowest = Math.min(lowest, cost);
    }
    return lowest;
  }

  look(0, 0, 1);
  return best;
}

/** Creates an index that finds the name a word is a typo of (`isTypoOf`) without comparing all names. */
export function createTypoIndex() {
  const short = new NameTree();
  const long = new NameTree();
  return {
    /** Adds a name. The lowest rank wins among matches. */
    add(name: string, rank: number): void {
      if (name.length >= SHORTEST_NAME) (name.length >= LONG_NAME ? long : short).add(name, rank);
    },

    /** Returns the best rank of the names that `word` is a typo of; Infinity if there is none. */
    find(word: string): number {
      if (word.length < SHORTEST_NAME - 1) return NONE;
      const inShort = word.length <= LONG_NAME ? findSimilar(short, word, 1) : NONE;
      return word.length < LONG_NAME - MAX_SLIPS ? inShort : Math.min(inShort, findSimilar(long, word, MAX_SLIPS));
    },
  };
}
