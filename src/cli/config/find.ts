import { existsSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { UsageError } from '../io.js'

const CONFIG_FILE = 'twinspec.config.yaml'

/**
 * The configuration that `given` names, else the nearest one from `folder` up to the top of the git repository. Outside of a
 * repository only `folder` itself is looked at. `none` reads none. Throws UsageError where the named file does not exist.
 */
export const findConfig = (given: string | undefined, folder = '.'): string | undefined => {
  if (given === 'none') return undefined
  if (given !== undefined) {
    if (existsSync(given)) return given
    throw new UsageError(`there is no configuration ${given}`)
  }
  const found: string[] = []
  for (let at = resolve(folder); ; at = dirname(at)) {
    const file = join(at, CONFIG_FILE)
    if (existsSync(file)) found.push(file)
    const isTop = existsSync(join(at, '.git'))
    if (!isTop && dirname(at) !== at) continue
    const [first] = found
    if (first === undefined || (!isTop && dirname(first) !== resolve(folder))) return undefined
    return relative(resolve('.'), first)
  }
}
