// The conformance suites import `globSync` of Node 22's `fs`, for a command that the tests do not run. This adds the name on Node 20.
import { register } from 'node:module'

const fs =
  'export * from "node:fs"; export { default } from "node:fs"; export const globSync = () => []'
const hooks = `export const resolve = (name, context, next) =>
  name === 'fs' && /conformance/.test(context.parentURL ?? '')
    ? { url: ${JSON.stringify(`data:text/javascript,${encodeURIComponent(fs)}`)}, shortCircuit: true }
    : next(name, context)`
register(`data:text/javascript,${encodeURIComponent(hooks)}`)
