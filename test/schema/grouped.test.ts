import { expect, it, onTestFinished } from 'vitest'
import type { Finding } from '../../src/model/finding.js'
import { writeChangelog } from '../../src/pack/changelog.js'
import { printed } from '../report/report-of.js'

/** Findings of one operation. */
const findings = (count: number): readonly Finding[] =>
  Array.from({ length: count }, (_, line) => ({
    rule: 'operation-added',
    level: 'note',
    location: { file: 'api.yaml', line: line + 1, column: 1, pointer: '' },
    message: `finding ${line}`,
    operations: ['GET /orders'],
  }))

/** How many items of lists `work` iterates over: a spread of a list is an iteration. */
const iterated = (work: () => unknown): number => {
  const original = Array.prototype[Symbol.iterator]
  let count = 0
  const restore = () => {
    Object.defineProperty(Array.prototype, Symbol.iterator, { value: original })
  }
  onTestFinished(restore)
  Object.defineProperty(Array.prototype, Symbol.iterator, {
    configurable: true,
    writable: true,
    value: function* (this: unknown[]) {
      for (let at = 0; at < this.length; at += 1) {
        count += 1
        yield this[at]
      }
    },
  })
  work()
  restore()
  return count
}

it.each<[string, (all: readonly Finding[]) => unknown]>([
  ['a report in Markdown', (all) => printed(all, 'markdown')],
  [
    'a changelog',
    (all) =>
      writeChangelog({
        ...{ version: '2.0.0', today: new Date(0), texts: [], before: undefined },
        findings: all,
      }),
  ],
])('%s of ten times the findings of an operation copies ten times as many items', (_, write) => {
  const [few, many] = [findings(100), findings(1_000)].map((all) => iterated(() => write(all)))
  expect(Number(many)).toBeLessThan(11 * Number(few))
})
