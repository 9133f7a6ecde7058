import { markdownCell, markdownCode } from '../../model/escape.js'
import type { Inside } from './inside.js'
import { section } from './section.js'
import { kilobytes } from './weight.js'

/** What npm installs with the package, which has so many bytes, and what it leaves to whoever has a use for it. */
export const needs = ({ manifest, weights }: Inside, own: number): string => {
  const { peerDependencies = {} } = manifest
  const rows = [
    `| this package | ${kilobytes(own)} | |`,
    ...Object.entries(peerDependencies).map(([name, range]) =>
      row(name, range, 'optional: install it for the part that asks for it'),
    ),
  ]
  function row(name: string, range: string, when: string): string {
    const weight = weights.get(name)
    return `| ${markdownCell(markdownCode(`${name}@${range}`))} | ${weight === undefined ? 'not measured' : kilobytes(weight)} | ${when} |`
  }
  return section(
    'What it needs',
    'In kilobytes as they lie in `node_modules`, with what they bring.',
    ['| package | kilobytes | |', '| --- | ---: | --- |', ...rows].join('\n'),
  )
}

export const runtimes = ({ manifest }: Inside): string => {
  const node = manifest.engines?.node
  return section(
    'Where it runs',
    `ES modules for Node${node === undefined ? '' : ` ${node.replace('>=', '')} or newer`}, Bun, Deno and browsers by any bundler, also where a policy forbids \`eval\`. TypeScript 5 reads the types with \`moduleResolution\` \`bundler\`, \`node16\` or \`nodenext\`.`,
  )
}

export const licence = ({ manifest }: Inside): string =>
  section(
    'Licence',
    `${markdownCode(manifest.license)}; the text is in ${markdownCode('LICENSE')}.`,
  )
