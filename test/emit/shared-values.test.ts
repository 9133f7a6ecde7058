import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { literal } from '../../src/emit/file.js'
import { longText, shareValues } from '../../src/emit/shared-values.js'

const share = (values: readonly unknown[], taken: readonly string[] = []) =>
  shareValues(values, (path) => path.at(-1)?.key ?? '', new Set(taken))

/** What is printed of the values, as a program. */
const printed = (values: readonly unknown[], taken?: readonly string[]): string => {
  const { shared, values: own } = share(values, taken)
  const lines = shared.map(({ name, value }) => `const ${name} = ${literal(value).text}\n`)
  return `${lines.join('')}return ${literal(own).text}`
}

/** As JavaScript, which has no `as const`. */
const run = (program: string): unknown => new Function(program.replace(/([\]}]) as const/g, '$1'))()

const LONG =
  'A sentence that is longer than what stands in one line, so that it is said once and then named.'

describe('values that stand in several places', () => {
  it('are said once where they are long, inner ones before outer ones', () => {
    const log = { text: LONG, at: [1, 2] }
    expect(
      printed([{ log, short: 'a' }, { log, receipt: { log, text: LONG } }, { short: 'a' }]),
    ).toMatchInlineSnapshot(`
      "const text = 'A sentence that is longer than what stands in one line, so that it is said once and then named.'
      return [
        { log: { text, at: [1, 2] }, short: 'a' },
        { log: { text, at: [1, 2] }, receipt: { log: { text, at: [1, 2] }, text } },
        { short: 'a' },
      ]"
    `)
  })

  it('take no name that is taken, and none of the language', () => {
    const [one, other] = [{ text: `${LONG} 1` }, { text: `${LONG} 2` }]
    const values = [{ class: one, n: 1 }, { class: one }, { examples: other }, [other]]
    expect(share(values, ['examples']).shared.map(({ name }) => name)).toEqual([
      'class_',
      'examples2',
    ])
    expect(run(printed(values, ['examples']))).toEqual(values)
  })

  it('stay what they were, whatever they are', () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom(LONG, '__proto__', 'a'),
      fc
        .tuple(fc.string(), fc.constantFrom('0', '`', '$', '{', "'", '\\', '\n'), fc.nat(200))
        .map(([before, unit, count]) => before + unit.repeat(count) + before),
    )
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof(
        { depthSize: 'small' },
        fc.oneof(text, fc.integer(), fc.boolean(), fc.constant(null)),
        fc.array(tie('value'), { maxLength: 4 }),
        fc.dictionary(text, tie('value'), { maxKeys: 4 }),
      ),
    }))
    const several = fc
      .array(value, { minLength: 1, maxLength: 4 })
      .chain((some) => fc.array(fc.constantFrom(...some, { some }, [LONG, some]), { maxLength: 5 }))
    fc.assert(
      fc.property(several, (values) => {
        expect(JSON.stringify(run(printed(values)))).toBe(JSON.stringify(values))
      }),
      { numRuns: 500 },
    )
  })
})

describe('a long text', () => {
  const print = (text: string) => literal(longText(text)).text

  it('that is mostly one character tells how often it stands there', () => {
    const texts = [`0x${'0'.repeat(100)}1`, `\${a}\`\\${'-'.repeat(90)}`]
    const program = texts.map(print).join('\n')
    expect(program).toMatchInlineSnapshot(`
      "\`0x\${'0'.repeat(100)}1\`
      \`\\\${a}\\\`\\\\\${'-'.repeat(90)}\`"
    `)
    expect(texts.map((text) => run(`return ${print(text)}`))).toEqual(texts)
  })

  it.each([LONG, `0x${'0'.repeat(60)}`])('is itself otherwise: %s', (text) => {
    expect(print(text)).toBe(`'${text}'`)
  })

  it('of many lines is read by its lines', () => {
    const source = `contract A {\n  ${LONG}\n}\n`
    expect(print(source)).toBe(`[\n  'contract A {',\n  '  ${LONG}',\n  '}',\n  '',\n].join('\\n')`)
    expect(run(`return ${print(source)}`)).toBe(source)
  })
})
