/** The line of the summary for one part, from its exit code and the JSON report of vitest. */
export const summaryLine = ({ name, code, seconds, seed, report }) => {
  const { runs, failed, skipped } = resultOf(report)
  return [
    name.padEnd(16),
    `${runs.toLocaleString('en')} runs`.padStart(16),
    `${seconds.toFixed(0)} s`.padStart(8),
    `  ${code === 0 ? 'passed' : `FAILED (${failed} tests)`}${skipped > 0 ? `, ${skipped} skipped` : ''}`,
    `, seed ${seed}`,
  ].join('')
}

/** A test that does not count its runs is one. */
const resultOf = ({ testResults = [] }) => {
  const tests = testResults.flatMap(({ assertionResults }) => assertionResults)
  const ended = tests.filter(({ status }) => status === 'passed' || status === 'failed')
  return {
    runs: ended.reduce((sum, { meta }) => sum + (meta?.runs ?? 1), 0),
    failed: tests.filter(({ status }) => status === 'failed').length,
    skipped: tests.length - ended.length,
  }
}
