import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Each takes a quarter of a minute or more. One that starts last leaves the other processors idle for that long. */
const SLOW = [
  'test/handover/pull-request.e2e.test.ts',
  'test/programs/programs.e2e.test.ts',
  'test/package/init.e2e.test.ts',
  'test/package/tarball.e2e.test.ts',
  'test/handover/runtimes-table.e2e.test.ts',
  'test/handover/own-workflow.e2e.test.ts',
  'test/examples/recordings.e2e.test.ts',
  'test/pack/readme.e2e.test.ts',
  'test/pack/readme-of-others.e2e.test.ts',
  'test/conformance/third-party.e2e.test.ts',
  'test/peers/peers.e2e.test.ts',
  'test/link/mcp-conformance.e2e.test.ts',
  'test/link/mcp.e2e.test.ts',
  'test/link/lsp.e2e.test.ts',
  'test/link/lsp-types.e2e.test.ts',
  'test/read/validate-openrpc.e2e.test.ts',
  'test/service/embedded-chain/chain-memory.e2e.test.ts',
  'test/trials/start.test.ts',
  'test/trials/crash.test.ts',
]

/** Vitest asks for a class. A checkout has no times of earlier runs, and without them vitest begins with the longest texts. */
export class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const projects = [...new Set(sorted.map(({ project }) => project.name))]
    const rank = ({ project, moduleId }: TestSpecification): number => {
      const place = SLOW.findIndex((name) => moduleId.endsWith(`/${name}`))
      return projects.indexOf(project.name) * 100 + (place < 0 ? SLOW.length : place)
    }
    return sorted.sort((a, b) => rank(a) - rank(b))
  }
}
