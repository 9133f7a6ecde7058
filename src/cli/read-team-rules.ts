import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { TeamRule } from '../lint/team-rules.js'
import { isObject } from '../model/json.js'
import { UsageError } from './io.js'

/**
 * Reads the rules of a team: a JavaScript module that exports `rules`. Only the command line names one, because the configuration
 * of a checkout must not run code. Throws a UsageError that names the file and the fault.
 */
export const readTeamRules = async (
  file: string,
  known: ReadonlySet<string>,
): Promise<readonly TeamRule[]> => {
  const fail = (why: string): never => {
    throw new UsageError(`--rules ${file}: ${why}`)
  }
  const module = await import(pathToFileURL(resolve(file)).href).catch((error: Error) =>
    fail(error.message),
  )
  const rules: unknown = module.rules
  if (!Array.isArray(rules)) return fail('the module must export a list called rules')
  const ids = new Set<string>()
  for (const [index, rule] of rules.entries()) {
    const { id, level, purpose, find } = isObject(rule) ? rule : {}
    if (typeof id !== 'string' || !/^[a-z][a-z0-9-]*$/.test(id))
      return fail(`rules[${index}].id must be in kebab case, such as team-tag-is-missing`)
    if (known.has(id)) return fail(`there is a rule ${id} already: choose another id`)
    if (ids.has(id)) return fail(`the rule ${id} is there twice`)
    if (level !== 'error' && level !== 'warning' && level !== 'note')
      return fail(`the level of ${id} must be error, warning or note`)
    if (typeof purpose !== 'string') return fail(`${id} has no purpose: say in a sentence why`)
    if (typeof find !== 'function') return fail(`${id} has no function find(api)`)
    ids.add(id)
  }
  return rules
}
