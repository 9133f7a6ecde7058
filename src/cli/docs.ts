import { defineCommand } from 'citty'
import { arazzoFlag, diskAllowing, documentFlags, documentsNamed } from './documents.js'
import { type ExitCode, type Io, UsageError, writeLine } from './io.js'
import { createProgress } from './progress.js'
import { assertReplaceable, writeSite } from './write-site.js'

export const docs = defineCommand({
  meta: {
    name: 'docs',
    description: 'Writes the reference of both documents as a static site',
  },
  args: {
    out: { type: 'string', valueHint: 'folder', description: 'Written whole or not at all' },
    ...documentFlags,
    arazzo: arazzoFlag,
    title: {
      type: 'string',
      valueHint: 'words',
      description: "What the site is called, in place of the documents' titles",
    },
    package: {
      type: 'string',
      valueHint: '@scope/name',
      description: 'The package that the TypeScript of examples imports, in place of ./generated',
    },
    'same-origin': {
      type: 'boolean',
      description:
        'For a site that the service itself serves: Try it sends to the origin of the page',
    },
  },
  run: async ({ args, data }): Promise<ExitCode> => {
    const io = data as Io
    const { out, openapi, openrpc, arazzo, title } = args
    if (out === undefined) {
      throw new UsageError('twinspec docs: --out says where the site goes, as in --out site')
    }
    await assertReplaceable(out)
    const began = io.now()
    const progress = createProgress(io)
    try {
      // Loaded only now: `--help` needs none of it.
      const [{ loadApi }, { writeDocs }] = await Promise.all([
        import('../model/load.js'),
        import('../docs/docs.js'),
      ])
      const tree = diskAllowing(args['allow-outside'])
      const api = await loadApi(documentsNamed({ openapi, openrpc, arazzo }), tree)
      const server = args['same-origin'] ? 'origin' : undefined
      const files = writeDocs(api, {
        title,
        packageName: args.package,
        server,
        tell: progress.tell,
      })
      progress.tell(`writing ${files.length} files`)
      await writeSite(out, files)
      progress.end()
      const seconds = ((io.now() - began) / 1000).toFixed(1)
      const folder = /[\\/]$/.test(out) ? out : `${out}/`
      writeLine(
        io.stderr,
        `wrote ${files.length} files in ${seconds} s: open ${folder}index.html in a browser`,
      )
      return 0
    } finally {
      progress.end()
    }
  },
})
