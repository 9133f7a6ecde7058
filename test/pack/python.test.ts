import { expect, it } from 'vitest'
import { distributionFault, packPython } from '../../src/pack/python.js'
import { answering, apiOf, openapiOf } from '../read/api-of.js'

const today = new Date('2026-05-01')

const packed = async (license: string | undefined, version?: string) => {
  const api = await apiOf({
    openapi: openapiOf({ paths: { '/a': answering({ type: 'string' }) } }),
  })
  const answer = packPython(api, { name: 'acme-a', version, license, today })
  if (answer.kind === 'rejected') return () => answer.sentence
  const files = new Map(answer.files.map((one) => [one.name, one.text]))
  return (name: string): string | undefined => files.get(name)
}

it('has a first version, the licence and its text', async () => {
  const fileOf = await packed('MIT')
  expect(fileOf('pyproject.toml')).toContain('name = "acme-a"\nversion = "0.1.0"')
  expect(fileOf('pyproject.toml')).toContain('license = "MIT"\n')
  expect(fileOf('LICENSE')).toContain('Copyright (c) 2026 the authors of acme-a')
  expect(fileOf('src/acme_a/py.typed')).toBeDefined()
  expect(fileOf('README.md')).toContain('print(client.read())')
})

it('has the version that is asked for, and no licence where there is none', async () => {
  const fileOf = await packed(undefined, '2.0.0')
  expect(fileOf('pyproject.toml')).toContain('version = "2.0.0"')
  expect(fileOf('pyproject.toml')).not.toContain('license')
  expect((await packed('MIT', 'two'))('')).toContain('two is not a version')
})

it('has a name that Python accepts', () => {
  expect(['acme-a', 'a', 'A.b_c-1'].map(distributionFault)).toEqual([
    undefined,
    undefined,
    undefined,
  ])
  for (const name of ['@acme/a', '-a', 'a-', 'é', '']) expect(distributionFault(name)).toBeDefined()
})
