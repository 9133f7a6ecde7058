import { gzipSync } from 'node:zlib'
import type { File } from '../../emit/file.js'
import { markdownCode, markdownText } from '../../model/escape.js'
import { importsOf, packageOf, relativeTarget } from '../module-graph.js'
import type { Inside } from './inside.js'
import { section } from './section.js'

/** What each part brings along: as it is, before a bundler drops names, comments and what is not used. */
export const weights = (inside: Inside): string => {
  const rows = partsOf(inside).map((part) => {
    const { first, whole } = part
    const later = whole > first ? kilobytes(whole - first) : ''
    return `| ${markdownCode(part.entry)} | ${markdownText(part.gives)} | ${kilobytes(first)} | ${later} | ${part.packages.map(markdownCode).join(', ')} |`
  })
  return section(
    'What a part weighs',
    'In kilobytes of gzip, with every file that it leads to, as a browser takes them and before a bundler makes them smaller; types weigh nothing. What is loaded later is what explains an error, mostly: apart where modules are loaded as they lie or a bundler splits what is imported later, as Vite and Rollup do and esbuild by `--splitting`. In one file it is both.',
    [
      '| import | gives | at once | later | asks for |',
      '| --- | --- | ---: | ---: | --- |',
      ...rows,
    ].join('\n'),
  )
}

export type PartWeight = {
  /** As it is imported: `@acme/orders/http`. */
  readonly entry: string
  readonly gives: string
  /** Bytes of gzip of what is loaded at once, and of all that it may lead to. */
  readonly first: number
  readonly whole: number
  /** Packages of others that it imports. */
  readonly packages: readonly string[]
}

/** Of each part that is one file; parts of a tag are many. */
export const partsOf = ({ manifest, files, parts }: Inside): readonly PartWeight[] => {
  const texts = new Map(files.map((file: File) => [file.name, file.text]))
  const known = new Map<string, readonly Import[]>()
  const importsIn = (path: string): readonly Import[] => {
    const found = known.get(path) ?? (path.endsWith('.js') ? loadedBy(texts.get(path) ?? '') : [])
    known.set(path, found)
    return found
  }
  return parts.flatMap(({ entry, gives }) => {
    const target = moduleOf(manifest.exports[entry])
    const text = target === undefined ? undefined : texts.get(target)
    if (target === undefined || text === undefined || entry.includes('*')) return []
    if (isOfTypesAlone(text)) return []
    const reach = (which: 'at once' | 'ever') => {
      const packages = new Set<string>()
      const found = new Set([target])
      for (const path of found) {
        for (const { name, isLater } of importsIn(path)) {
          if (isLater && which === 'at once') continue
          const file = resolved(name, path, manifest.imports)
          if (file !== undefined && texts.has(file)) found.add(file)
          else for (const one of packageOf(name)) packages.add(one)
        }
      }
      return { bytes: gzipped([...found].map((path) => texts.get(path) ?? '')), packages }
    }
    const whole = reach('ever')
    return [
      {
        entry: entry.replace(/^\./, manifest.name),
        gives,
        first: reach('at once').bytes,
        whole: whole.bytes,
        packages: [...whole.packages].sort(),
      },
    ]
  })
}

export const kilobytes = (bytes: number): string => {
  const count = bytes / 1000
  return count < 9.95 ? count.toFixed(1) : Math.round(count).toLocaleString('en-US')
}

const gzipped = (texts: readonly string[]): number =>
  gzipSync(texts.join('\n'), { level: 9 }).length

type Import = { readonly name: string; readonly isLater: boolean }

/** Such a module is there for its declarations. */
const isOfTypesAlone = (text: string): boolean =>
  text
    .replace(/\/\*[\s\S]*?\*\/|\/\/[^\n]*/g, '')
    .replace(/export \{\s*\};?/g, '')
    .trim() === ''

/** Code has `import(` before the name of what it loads later. */
const loadedBy = (text: string): readonly Import[] =>
  importsOf(text).map(({ name, pos }) => ({
    name,
    isLater: /\bimport\s*\(\s*(?:\/\*[\s\S]*?\*\/\s*)?['"`]?$/.test(
      text.slice(Math.max(0, pos - 80), pos),
    ),
  }))

const moduleOf = (target: unknown): string | undefined => {
  const path =
    typeof target === 'object' && target !== null && 'default' in target ? target.default : target
  return typeof path === 'string' ? path.replace(/^\.\//, '') : undefined
}

/** A `#name` is what a browser takes for it. */
const resolved = (
  name: string,
  from: string,
  imports: Inside['manifest']['imports'],
): string | undefined => {
  if (name.startsWith('.')) return relativeTarget(from, name)
  return moduleOf(imports?.[name])
}
