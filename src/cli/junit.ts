import { xmlText } from '../model/escape.js'

/** A report in JUnit XML, as CI servers read it. */
export const junitXml = (name: string, suites: readonly JunitSuite[]): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="${xmlText(name)}">\n${suites.map(suiteXml).join('')}</testsuites>\n`

export type JunitSuite = { readonly name: string; readonly cases: readonly JunitCase[] }

/** A case without `failure` and `skipped` has passed. */
export type JunitCase = {
  readonly name: string
  readonly className: string
  readonly failure?: { readonly rule: string; readonly message: string; readonly text: string }
  /** Why it was skipped. */
  readonly skipped?: string
  readonly output?: string
}

const suiteXml = ({ name, cases }: JunitSuite): string => {
  const count = (key: 'failure' | 'skipped') => cases.filter((one) => one[key] !== undefined).length
  const counts = `tests="${cases.length}" failures="${count('failure')}" errors="0" skipped="${count('skipped')}"`
  return `  <testsuite name="${xmlText(name)}" ${counts}>\n${cases.map(caseXml).join('')}  </testsuite>\n`
}

const caseXml = ({ name, className, failure, skipped, output }: JunitCase): string => {
  const content = [
    failure &&
      `<failure type="${xmlText(failure.rule)}" message="${xmlText(failure.message)}">${xmlText(failure.text)}</failure>`,
    skipped !== undefined && `<skipped message="${xmlText(skipped)}"/>`,
    output !== undefined && `<system-out>${xmlText(output)}</system-out>`,
  ].filter((one) => typeof one === 'string')
  const head = `    <testcase name="${xmlText(name)}" classname="${xmlText(className)}"`
  return content.length === 0 ? `${head}/>\n` : `${head}>${content.join('')}</testcase>\n`
}
