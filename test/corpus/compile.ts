import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { problemOf, run } from './run.js'
import type { Cell } from './table.js'

/** Compiler options of a project as bundlers expect it. */
export const PROJECT = {
  target: 'es2022',
  module: 'esnext',
  moduleResolution: 'bundler',
  lib: ['es2023', 'dom', 'dom.iterable'],
  types: [],
  noEmit: true,
  skipLibCheck: true,
  resolveJsonModule: true,
}

/** Compiles `generated/` of the folder with each compiler and each setting. */
export async function compile(folder: string): Promise<readonly Cell[]> {
  const cells: Cell[] = []
  for (const [name, settings] of Object.entries(SETTINGS)) {
    const config = {
      compilerOptions: { ...PROJECT, ...settings },
      include: ['generated'],
    }
    await writeFile(join(folder, `tsconfig.${name}.json`), JSON.stringify(config))
    for (const [version, tsc] of Object.entries(COMPILERS)) {
      const ran = await run([tsc, '-p', `tsconfig.${name}.json`, '--pretty', 'false'], folder)
      const problem = ran.code === 0 ? undefined : problemOf(ran)
      const verb = `${version} ${name}`
      cells.push({ verb, seconds: ran.seconds, ...(problem !== undefined && { problem }) })
    }
  }
  return cells
}

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const HERE = fileURLToPath(new URL('.', import.meta.url))

/** What users set: `strict` alone, and everything that a careful project adds. */
const SETTINGS = {
  strict: { strict: true },
  all: {
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    noPropertyAccessFromIndexSignature: true,
    noImplicitOverride: true,
    noImplicitReturns: true,
    noFallthroughCasesInSwitch: true,
    noUnusedLocals: true,
    noUnusedParameters: true,
    verbatimModuleSyntax: true,
    isolatedModules: true,
    erasableSyntaxOnly: true,
  },
}

export const COMPILERS = {
  '5.9': join(ROOT, 'node_modules/typescript/bin/tsc'),
  '6.0': join(HERE, 'node_modules/typescript-6/bin/tsc'),
  '7.0': join(HERE, 'node_modules/typescript-7/bin/tsc'),
}
