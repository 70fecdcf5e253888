// Checks that the tests named in docs/conformance.md and docs/bot-safety.md exist and pass.

/** Marks a proof that is skipped without the owner's folder beside the project. */
const NEEDS_SHARED = / \(needs \.\.\/shared\)$/;
const ROW = /^\|\s*(?<id>(?:\d+|safety)\.[a-z-]+\.\d+)\s*\|/;

/** Parses `` `unit/a.test.ts` › describe › title ``, with a path relative to tests/. */
function readProof(text) {
  const needsShared = NEEDS_SHARED.test(text);
  const [path = '', ...titles] = text.replace(NEEDS_SHARED, '').split(' › ');
  return { text, file: path.replaceAll('`', '').trim(), titles: titles.map((title) => title.trim()), needsShared };
}

/** Returns the rows of a table: id, statement and proofs. An unreadable proof has no titles. */
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

/** Returns why a test does not count as passed in this run. A table test passes when all its rows do. */
function complaintOf(test, proof, results) {
  const found = (results.get(proof.file) ?? []).filter((result) => matches(test, result));
  if (found.length === 0) return 'did not run';
  if (found.some(({ status }) => status === 'failed')) return 'failed';
  if (found.every(({ status }) => status === 'skipped') && !proof.needsShared) return 'was skipped';
}

/**
 * Returns the problems of the table, one line each.
 * @param testsOf returns the tests of a file, or undefined when it does not exist
 * @param results of a run, by file; without them only the existence of tests is checked
 */
export function conformanceProblems(rows, testsOf, results) {
  const problems = [];
  const seen = new Set();
  for (const { id, statement, proofs } of rows) {
    const report = (what) => problems.push(`${id}: ${what}`);
    if (seen.has(id)) report('is a duplicate');
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
