// Holds the tables of docs/conformance.md and docs/bot-safety.md to the tests they name.

/** Stands behind a proof that is skipped where the folder of the project's owner is absent. */
const NEEDS_SHARED = / \(needs \.\.\/shared\)$/;
const ROW = /^\|\s*(?<id>(?:\d+|safety)\.[a-z-]+\.\d+)\s*\|/;

/** `` `unit/a.test.ts` › describe › title `` taken apart; the path is given from tests/. */
function readProof(text) {
  const needsShared = NEEDS_SHARED.test(text);
  const [path = '', ...titles] = text.replace(NEEDS_SHARED, '').split(' › ');
  return { text, file: path.replaceAll('`', '').trim(), titles: titles.map((title) => title.trim()), needsShared };
}

/** The rows of the table: id, statement and proofs. A proof that is not readable has no titles. */
export function readRows(markdown) {
  const rows = [];
  for (const line of markdown.split('\n')) {
    const id = ROW.exec(line)?.groups.id;
    if (!id) continue;
    const [, , statement = '', proof = ''] = line.split(/(?<!\\)\|/).map((cell) => cell.trim().replaceAll('\\|', '|'));
    rows.push({ id, statement, proofs: proof === '' ? [] : proof.split('<br>').map((each) => readProof(each.trim())) });
  }
  return rows;
}

const endsWith = (chain, titles) => titles.every((title, index) => chain[chain.length - titles.length + index] === title);
const matches = (test, result) =>
  test.patterns.length === result.chain.length && test.patterns.every((pattern, index) => pattern.test(result.chain[index]));

/** What became of a test in this run, or nothing when all is well. A table's test passes with all its lines. */
function complaintOf(test, proof, results) {
  const found = (results.get(proof.file) ?? []).filter((result) => matches(test, result));
  if (found.length === 0) return 'did not run';
  if (found.some(({ status }) => status === 'failed')) return 'failed';
  if (found.every(({ status }) => status === 'skipped') && !proof.needsShared) return 'was skipped';
}

/**
 * What is wrong with the table, one line each; nothing when every row is proved.
 * `testsOf(file)` gives a file's tests, or undefined where there is no such file; `results`, by file, is what this run
 * said. Without results, only what exists is checked.
 */
export function conformanceProblems(rows, testsOf, results) {
  const problems = [];
  const seen = new Set();
  for (const { id, statement, proofs } of rows) {
    const report = (what) => problems.push(`${id}: ${what}`);
    if (seen.has(id)) report('stands there twice');
    seen.add(id);
    if (statement === '') report('says nothing');
    if (proofs.length === 0) report('has no proof');
    for (const proof of proofs) {
      const tests = testsOf(proof.file);
      const named = proof.titles.length === 0 ? [] : (tests ?? []).filter(({ chain }) => endsWith(chain, proof.titles));
      if (!tests) report(`no file tests/${proof.file}`);
      else if (named.length !== 1) report(`${named.length === 0 ? 'no test' : `${named.length} tests`} named ${proof.text}`);
      else if (results) {
        const complaint = complaintOf(named[0], proof, results);
        if (complaint) report(`${complaint}: ${proof.text}`);
      }
    }
  }
  return rows.length === 0 ? ['no rows found'] : problems;
}
