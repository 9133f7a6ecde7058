import { expect, test } from 'vitest'
import { pathPattern } from '../../src/runtime/wire/path-pattern.js'
import { createRoutes } from '../../src/runtime/wire/routes.js'
import { cpuClock } from '../cpu-time.js'

const find = (templates: readonly string[], path: string) => {
  const match = createRoutes(
    templates.map((template) => ({ method: 'GET', path: template, target: template })),
  )('GET', path)
  return match.kind === 'found' ? [match.target, match.path] : match.kind
}

test.each<[templates: string[], path: string, want: string, values: Record<string, string>]>([
  [['/{name}.json', '/{name}.tar.json'], '/x.tar.json', '/{name}.tar.json', { name: 'x' }],
  [['/{name}.json', '/{name}.tar.json'], '/x.json', '/{name}.json', { name: 'x' }],
  [['/{name}.json', '/v{n}-{name}.json'], '/v1-a.json', '/v{n}-{name}.json', { n: '1', name: 'a' }],
  [['/{any}', '/{name}.json', '/a.json'], '/a.json', '/a.json', {}],
  [['/{any}', '/{name}.json', '/a.json'], '/b.json', '/{name}.json', { name: 'b' }],
  [['/{any}/{name}.json', '/a/{all}'], '/a/b.json', '/a/{all}', { all: 'b.json' }],
])('of %j, %s is answered by %s whatever their order', (templates, path, want, values) => {
  expect(find(templates, path)).toEqual([want, values])
  expect(find([...templates].reverse(), path)).toEqual([want, values])
})

test('a literal segment wins whatever paths of other lengths stand between', () => {
  const templates = ['/responses/{id}', '/health', '/responses/compact']
  expect(find(templates, '/responses/compact')).toEqual(['/responses/compact', {}])
  expect(find(templates, '/responses/7')).toEqual(['/responses/{id}', { id: '7' }])
})

test.each([
  ['/{a}-{b}.json', '/1-2-3.json', { a: '1', b: '2-3' }],
  ['/{a}-{b}', '/--b', { a: '-', b: 'b' }],
  ['/{a}{b}', '/xyz', { a: 'x', b: 'yz' }],
  ['/v{a}', '/v', undefined],
  ['/{a}-{b}', '/1-', undefined],
  ['/{a}.json', '/.json', undefined],
  ['/ab{a}ba', '/aba', undefined],
])('%s reads %s', (template, path, values) => {
  expect(find([template], path)).toEqual(values ? [template, values] : 'unknown')
})

test('a long path that repeats the text between parameters is rejected without delay', () => {
  const used = cpuClock()
  expect(find(['/{a}-{b}-{c}.json'], `/${'-'.repeat(16_000)}`)).toBe('unknown')
  expect(used()).toBeLessThan(500)
})

// A client percent-encodes what a URL cannot contain; the template has the text itself, or the encoded one.
const SPELLINGS: readonly [template: string, path: string, values: object | undefined][] = [
  ['/größe', '/gr%C3%B6%C3%9Fe', {}],
  ['/größe', '/gr%c3%b6%c3%9fe', {}],
  ['/größe', '/größe', {}],
  ['/gr%C3%B6%C3%9Fe', '/gr%c3%b6%C3%9Fe', {}],
  ['/gr%c3%b6ße', '/größe', {}],
  ['/größe', '/gr%F6%DFe', undefined],
  ['/größe', '/gr%C3%B6%C3%9F', undefined],
  ['/größe-{a}', '/gr%C3%B6%C3%9Fe-7', { a: '7' }],
  ['/größe-{a}', '/gr%C3%B6%C3%9Fe-', undefined],
  ['/{a}-größe', '/%C3%9F-gr%C3%B6%C3%9Fe', { a: '%C3%9F' }],
  ['/{a}ß{b}', '/x%c3%9fy%C3%9Fz', { a: 'x', b: 'y%C3%9Fz' }],
  ['/{a}%20{b}', '/x%20y', { a: 'x', b: 'y' }],
  ['/{a} {b}', '/x%20y', { a: 'x', b: 'y' }],
  ['/a b/{c}', '/a%20b/x', { c: 'x' }],
  ['/orders:cancel', '/orders%3Acancel', {}],
  ['/orders%3acancel', '/orders:cancel', {}],
  ['/a%2Fb', '/a%2fb', {}],
  ['/a%2Fb', '/a/b', undefined],
  ['/%zz', '/%zz', {}],
  ['/%zz', '/%25zz', {}],
  ['/{a},{b}', '/x%2Cy,z', { a: 'x%2Cy', b: 'z' }],
  ['/{a}%2C{b}', '/x,y%2cz', { a: 'x,y', b: 'z' }],
  ['/{a}:cancel', '/7:cancel', { a: '7' }],
  ['/%6Frders', '/orders', {}],
]

test.each(SPELLINGS)('%s reads %s in any percent-encoding', (template, path, values) => {
  expect(find([template], path)).toEqual(values ? [template, values] : 'unknown')
})

test.each(SPELLINGS)('the pattern of %s matches %s as the routes do', (template, path, values) => {
  const found = new RegExp(`^${pathPattern(template, '[^/]')}$`).exec(path)
  expect(found?.slice(1)).toEqual(values && Object.values(values))
})
