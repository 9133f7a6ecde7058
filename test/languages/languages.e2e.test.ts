import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { temporaryFolder } from '../temporary-folder.js'
import { casesFor, commandOf, generateFor, type Language } from './languages.js'
import { failureOf, pythonProgram, WITHOUT_PYTHON } from './python.js'
import { differences, playCases } from './run.js'

const python = pythonProgram('python')

const faultsOf = async (language: Language) => {
  const folder = temporaryFolder('contract')
  await generateFor(language, folder)
  return (await playCases(commandOf(language, folder, python), casesFor(language))).flatMap(
    differences,
  )
}

describe('the contract holds', () => {
  it('in TypeScript', async () => {
    expect(await faultsOf('typescript')).toEqual([])
  })

  it.skipIf(!python)(`in Python, blocking${WITHOUT_PYTHON}`, async () => {
    expect(await faultsOf('python')).toEqual([])
  })

  it.skipIf(!python)(`in Python, async${WITHOUT_PYTHON}`, async () => {
    expect(await faultsOf('python async')).toEqual([])
  })
})

describe.skipIf(!python)(`a Python package of the contract${WITHOUT_PYTHON}`, () => {
  it('has types that pyright and mypy accept in their strictest settings', async () => {
    const folder = temporaryFolder('contract-types')
    await generateFor('python', folder)
    const settings = { include: ['src'], typeCheckingMode: 'strict', pythonVersion: '3.11' }
    writeFileSync(join(folder, 'pyrightconfig.json'), JSON.stringify(settings))
    const check = (name: string, ...args: readonly string[]) =>
      failureOf(pythonProgram(name) ?? name, args, folder)
    expect(check('pyright', '--pythonpath', python ?? '')).toBeUndefined()
    expect(check('mypy', '--strict', 'src')).toBeUndefined()
  })
})

/** A property, and the change of the runtime that breaks it alone. */
const BROKEN = [
  ['ids', 'match.py', 'if len(found) > 1:', 'if len(found) > 9:'],
  ['splitting', 'rpc.py', 'len(groups[-1]) >= count', 'len(groups[-1]) > count'],
  ['retries', 'exchange.py', 'return status in (429, 503)', 'return status == 429'],
  ['redaction', 'redact.py', 'pattern.sub(REDACTED, text)', 'text'],
  ['polling', 'http.py', 'if text != last:', 'if True:'],
  ['openness', 'schemas.py', 'if tolerant else made', 'if False else made'],
  ['links', 'subscriptions.py', 'live.waiting.append(SubscriptionGap("reconnect"))', 'pass'],
] as const

describe.skipIf(!python)(`a client with one property broken${WITHOUT_PYTHON}`, () => {
  it.each(BROKEN)('fails in cases of %s alone', async (property, file, from, to) => {
    const folder = temporaryFolder('contract-broken')
    await generateFor('python', folder)
    const path = join(folder, 'src/contract/_runtime', file)
    const text = readFileSync(path, 'utf8')
    expect(text).toContain(from)
    writeFileSync(path, text.replace(from, to))
    // The others would take minutes.
    const cases = casesFor('python').filter(
      // Links need the other properties too.
      (one) =>
        !['wire', 'time', 'validation', 'cancellation'].includes(one.property) &&
        (one.property === 'links') === (property === 'links'),
    )
    const played = await playCases(commandOf('python', folder, python), cases)
    const failed = played.filter((one) => differences(one).length > 0)
    expect(new Set(failed.map(({ one }) => one.property))).toEqual(new Set([property]))
  })
})
