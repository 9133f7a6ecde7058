import { expect, it } from 'vitest'
import { writeChangelog } from '../../src/pack/changelog.js'
import { changesOf, method, orders, TODAY } from '../diff/versions.js'

const OLD =
  '# What changed\n\nWritten by us.\n\n## 1.0.0 (2026-01-01)\n\nBy hand, *kept*.\r\n\n### Added\n\n- all\n'

const BEFORE = {
  ...orders('operationId: getOrder\nparameters: [{ in: query, name: page, schema: {} }]'),
  ...method(''),
}
const AFTER = {
  ...orders(
    'operationId: getOrder\ndeprecated: true\nx-sunset: 2027-01-01\nparameters: [{ in: query, name: size, schema: {} }]',
  ),
  ...method('params: [{ name: id, required: true, schema: {} }]'),
}

it('tells what changed by weight and by operation, above what was written before', async () => {
  const findings = await changesOf(BEFORE, AFTER)
  const input = { version: '2.0.0', today: TODAY, findings, texts: ['README.md'], before: OLD }
  const text = writeChangelog(input)
  expect(text).toMatchInlineSnapshot(`
    "# What changed

    Written by us.

    ## 2.0.0 (2026-06-15)

    ### Breaking

    **\`order_get\`**

    - the param \`id\` of order_get is new and required: callers who do not send it are rejected (\`parameter-added-required\`)

    **\`GET /orders/{id}\`**

    - the query parameter \`page\` of GET /orders/{id} is removed: the service ignores or rejects it (\`parameter-removed\`)

    ### Added

    **\`GET /orders/{id}\`**

    - the query parameter \`size\` of GET /orders/{id} is new and optional (\`parameter-added-optional\`)

    ### Deprecated

    **\`GET /orders/{id}\`**

    - GET /orders/{id} is deprecated now, until 2027-01-01 (\`operation-deprecated\`)

    ## 1.0.0 (2026-01-01)

    By hand, *kept*.

    ### Added

    - all
    "
  `)
  expect(writeChangelog({ ...input, before: text })).toBe(text)
})

it.each([
  ['the first', undefined, [], 'The first version.'],
  ['one that is the same', OLD, [], 'Nothing changed.'],
  [
    'texts alone',
    OLD,
    ['dist/a.js', 'README.md'],
    '### Fixed\n\n- Without effect on callers: texts and code of `dist/a.js`, `README.md`',
  ],
])('says of %s what there is to say', (_, before, texts, want) => {
  const text = writeChangelog({ version: '1.0.1', today: TODAY, findings: [], texts, before })
  expect(text).toContain(`\n\n## 1.0.1 (2026-06-15)\n\n${want}\n`)
})

it('leaves what it wrote of a version as it is while nothing changes', () => {
  const before = '# Changelog\n\n## 1.0.0 (2026-01-01)\n\n### Added\n\n- all\n'
  const input = { version: '1.0.0', today: TODAY, findings: [], texts: [], before }
  expect(writeChangelog(input)).toBe(before)
})

it.each(['## [1.0.0] - 2026-01-01', '## v1.0.0', '## 1.0.0'])(
  'knows a version again under %s',
  (title) => {
    const before = `${title}\n\nold\n\n## 0.9.0\n\nolder\n`
    const text = writeChangelog({
      version: '1.0.0',
      today: TODAY,
      findings: [],
      texts: ['README.md'],
      before,
    })
    expect(text).toMatch(/^# Changelog\n/)
    expect(text).not.toContain('\nold\n')
    expect(text).toContain('\n## 0.9.0\n\nolder\n')
  },
)
