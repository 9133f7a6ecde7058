import { existsSync, lstatSync, readdirSync, readFileSync, realpathSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Toolkit } from './toolkit-package.js'

/** Bytes of packages as they lie in `node_modules`, with what they bring; of those that are installed beside this toolkit. */
export const weightsOf = (
  packages: Readonly<Record<string, string>>,
  { root }: Toolkit,
): ReadonlyMap<string, number> =>
  new Map(
    Object.keys(packages).flatMap((name) => {
      const folder = folderOf(name, root)
      return folder === undefined ? [] : [[name, weightWithAll(folder)] as const]
    }),
  )

export const isInstalled = (name: string, { root }: Toolkit): boolean =>
  folderOf(name, root) !== undefined

/** As Node looks for it, whatever the package exports; a linked one has its own packages around it. */
const folderOf = (name: string, from: string): string | undefined => {
  const folder = join(from, 'node_modules', name)
  if (existsSync(join(folder, 'package.json'))) return realpathSync(folder)
  const up = dirname(from)
  return up === from ? undefined : folderOf(name, up)
}

const weightWithAll = (folder: string): number => {
  const folders = new Set([folder])
  for (const one of folders) {
    const { dependencies = {} } = JSON.parse(readFileSync(join(one, 'package.json'), 'utf8')) as {
      readonly dependencies?: Readonly<Record<string, string>>
    }
    for (const name of Object.keys(dependencies)) {
      const found = folderOf(name, one)
      if (found !== undefined) folders.add(found)
    }
  }
  return [...folders].reduce((sum, one) => sum + weight(one), 0)
}

/** What a package brings in a folder of its own is counted where it is asked for. */
const weight = (folder: string): number =>
  readdirSync(folder, { withFileTypes: true }).reduce((sum, entry) => {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) return entry.name === 'node_modules' ? sum : sum + weight(path)
    return entry.isFile() ? sum + lstatSync(path).size : sum
  }, 0)
