/**
 * Starts a clock of the processor time of this process, in milliseconds. It does not count the time in which a busy machine
 * runs something else.
 *
 * @example
 * const used = cpuClock()
 * work()
 * expect(used()).toBeLessThan(1_000)
 */
export const cpuClock = (): (() => number) => {
  const before = process.cpuUsage()
  return () => {
    const { user, system } = process.cpuUsage(before)
    return (user + system) / 1_000
  }
}
