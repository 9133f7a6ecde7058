import { expect, test } from 'vitest'
import { interpret, runWritten, type Schemas, verdictsOf } from './written.js'

const SCHEMAS: Schemas = {
  Unlike: { type: 'array', uniqueItems: true },
  OneOfTwo: { enum: [{ a: [1] }, 2] },
}

const nested = (depth: number): unknown => {
  let value: unknown = []
  for (let at = 0; at < depth; at++) value = [value]
  return value
}

test.each(Object.keys(SCHEMAS))(
  '%s refuses a value that is too deep to be compared, as the run-time checker does',
  async (name) => {
    const checks = (await runWritten(SCHEMAS))[name]
    const verdicts = [3, 50_000].map((depth) =>
      verdictsOf(checks ?? expect.fail(), interpret(SCHEMAS)(name), nested(depth)),
    )
    for (const { written, interpreted } of verdicts) expect(written).toEqual(interpreted)
    expect(verdicts.map(({ written }) => written.strict)).toEqual([name === 'Unlike', false])
  },
)
