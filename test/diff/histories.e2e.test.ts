import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { diff } from '../../src/diff/diff.js'
import { lint } from '../../src/lint/lint.js'
import type { Api } from '../../src/model/api.js'
import { type ApiFiles, loadApi } from '../../src/read/load.js'

const PACKAGES = fileURLToPath(new URL('../../node_modules/', import.meta.url))

const today = new Date('2026-11-22')

/** Each version takes a second to be read, and stands in several comparisons. */
const read = new Map<ApiFiles, Promise<Api>>()
const apiOf = (version: ApiFiles = {}) => {
  const api = read.get(version) ?? loadApi(version)
  read.set(version, api)
  return api
}

/** Versions that were published one after the other, oldest first; a few between them are left out. */
const histories = {
  figma: ['figma-0.39', 'figma-0.40', 'figma-0.41', 'figma-0.42', '@figma/rest-api-spec'].map(
    (name) => ({ name, openapi: `${PACKAGES}${name}/openapi/openapi.yaml` }),
  ),
  directus: ['directus-13', 'directus-14', 'directus-15.0', 'directus-15.1', '@directus/specs'].map(
    (name) => ({ name, openapi: `${PACKAGES}${name}/dist/openapi.json` }),
  ),
  metamask: ['metamask-0.13', 'metamask-0.14', '@metamask/api-specs'].map((name) => ({
    name,
    openrpc: `${PACKAGES}${name}/dist/build/openrpc.json`,
  })),
}

const pairs = Object.values(histories).flatMap((versions) =>
  versions.slice(1).map((after, index) => ({ before: versions[index], after })),
)

it.each(pairs)('$before.name to $after.name: each change has its place', async (pair) => {
  const [before, after] = [await apiOf(pair.before), await apiOf(pair.after)]
  const findings = diff(before, after, { today })
  expect(findings.length).toBeGreaterThan(0)
  for (const { rule, location, before: was, message } of findings) {
    expect({ rule, line: location.line > 0, was: was === undefined || was.line > 0 }).toEqual({
      ...{ rule, line: true, was: true },
    })
    expect(message).not.toMatch(/undefined|\[object/)
  }
})

it.each(Object.values(histories).flat())('$name is what it was', async (version) => {
  const api = await apiOf(version)
  expect(diff(api, api, { today })).toEqual([])
})

/** What their authors wrote, read off both documents by hand. */
const known = [
  ['figma', 0, 'response-property-became-optional', /`last_touched_at` .* is removed/],
  ['figma', 0, 'response-property-added', /^`file` .*is new/],
  ['figma', 3, 'response-value-added', /COLOR_OPACITY/],
  ['directus', 2, 'success-status-removed', /^DELETE \/users no longer returns 200/],
  ['directus', 2, 'request-type-narrowed', /limit/],
] as const

it.each(known)('%s, step %d: %s', async (name, step, rule, said) => {
  const [before, after] = histories[name].slice(step, step + 2)
  const findings = diff(await apiOf(before), await apiOf(after), { today })
  const matching = findings.filter((one) => one.rule === rule && said.test(one.message))
  expect(
    matching.length,
    findings.map((one) => `${one.rule} ${one.message}`).join('\n'),
  ).toBeGreaterThan(0)
})

it.each(Object.entries(histories))('%s is linted', async (_, versions) => {
  const findings = lint(await apiOf(versions.at(-1)))
  expect(findings.every(({ location }) => location.line > 0)).toBe(true)
})
