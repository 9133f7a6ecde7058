import { BaseSequencer, type TestSpecification } from 'vitest/node'

/**
 * Files that run in turn are spread evenly over those that run beside them, so that one of each is at hand whenever a
 * worker is free. What takes long comes first: at the end of a run, a processor would wait for it. Files that share a process
 * stand together, as a worker keeps it only where the next file may run in it.
 */
export class Sequencer extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = longestFirst(await super.sort(files))
    const places = sorted.map((file) => {
      const lane = sorted.filter((other) => laneOf(other) === laneOf(file))
      return { file, at: (lane.indexOf(file) + 0.5) / lane.length }
    })
    return places.sort((a, b) => a.at - b.at).map(({ file }) => file)
  }
}

/**
 * More than twenty seconds each. Where some wait for what one of them makes, the toolkit or our package, others stand between;
 * those who pack stand together, since the compiler has read its libraries where a file of their project ran before.
 */
const LONG = [
  'package/init',
  'conformance/third-party',
  'handover/pull-request',
  'pack/package',
  'pack/readme-of-others',
  'pack/surface',
  'pack/large',
  'second-service/package',
  'package/tarball',
  'pack/readme',
  'handover/compatibility',
  'pack/declarations',
  'cli/pack',
  'package/pack',
  'second-service/second-service',
  'handover/own-workflow',
  'init/third-party',
  'cli/watch-edits',
  'trials/crash',
  'trials/start',
  'trials/writes',
  'compiler/limits',
  'libraries/contracts',
  'docs/browser',
  'docs/service',
  'docs/try-it',
  'seeded/seeded',
  'emit/split-by-tag',
  'conform/mock',
  'methods/anvil',
]

const longestFirst = (files: readonly TestSpecification[]): readonly TestSpecification[] => {
  const rank = ({ moduleId }: TestSpecification) =>
    LONG.findIndex((name) => moduleId.endsWith(`/${name}.test.ts`)) + 1 || Number.POSITIVE_INFINITY
  return [...files].sort((a, b) =>
    rank(a) === rank(b)
      ? Number(a.project.config.isolate) - Number(b.project.config.isolate) ||
        a.project.name.localeCompare(b.project.name)
      : rank(a) - rank(b),
  )
}

const IN_TURN = /[/]in-turn\.ts$/

const laneOf = ({ project }: TestSpecification): boolean =>
  project.config.setupFiles.some((path) => IN_TURN.test(path))
