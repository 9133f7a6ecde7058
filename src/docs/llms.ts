import { nameOf } from '../model/names.js'
import { type Group, groupsOf } from './groups.js'
import { plainText } from './prose.js'
import { MARK, protocolOf, type Site } from './site.js'

/** `llms.txt`: what the site has, and where, in Markdown (llmstxt.org). */
export function llmsText(
  site: Site,
  pages: readonly (readonly [title: string, file: string])[],
): string {
  const { api, title, operationFiles } = site
  const about = [api.http, api.rpc].map((one) => plainText(one?.description ?? '')).filter(Boolean)
  const link = (words: string, file: string, note = '') =>
    `- [${words.replace(/[[\]]/g, '\\$&')}](${encodeURI(file.replace(/\.html$/, '.md'))})${note && `: ${note}`}`
  const groupLines = (group: Group): readonly string[] => [
    `\n## ${protocolOf(group)}: ${group.name}\n`,
    ...group.operations.map((one) =>
      link(nameOf(one), operationFiles.get(one.id) ?? '', plainText(one.summary ?? '')),
    ),
    ...group.groups.flatMap(groupLines),
  ]
  return [
    `<!-- ${MARK}. Do not edit. -->`,
    `# ${title}\n`,
    ...about.map((text) => `> ${text.slice(0, 300)}\n`),
    '## Guides\n',
    ...pages.map(([name, file]) => link(name, file)),
    ...groupsOf(api).flatMap(groupLines),
    '',
  ].join('\n')
}
