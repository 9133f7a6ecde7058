import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { UNCHECKED } from '../../src/emit/header.js'
import { compileErrors, STRICT, STRICTEST } from '../compile.js'

const GENERATED = fileURLToPath(new URL('../../generated', import.meta.url))

/**
 * What the compiler reports for some files, whole, as if they were in the generated folder. `strict` is what most projects
 * set; `strictest` adds every flag that rejects more.
 */
export function diagnose(
  texts: ReadonlyMap<string, string>,
  settings: 'strict' | 'strictest' = 'strictest',
): readonly string[] {
  const paths = new Map(
    [...texts].map(([name, text]) => [join(GENERATED, name), text.replace(UNCHECKED, '//')]),
  )
  const options = settings === 'strict' ? STRICT : STRICTEST
  return compileErrors({ files: [...paths.keys()], texts: paths, options }).map((error) => {
    const [path = '', ...rest] = error.split(': ')
    return [basename(path), ...rest].join(': ')
  })
}
