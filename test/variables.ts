/**
 * All that a program which a test starts may have of this process's environment: what stands in DATABASE_URL or TWINSPEC_…
 * here must not decide what it does.
 */
export const basicVariables = (): Record<string, string> =>
  Object.fromEntries(
    NEEDED.flatMap((name) => {
      const value = process.env[name]
      return value === undefined ? [] : [[name, value]]
    }),
  )

const NEEDED = ['PATH', 'HOME', 'TMPDIR', 'SystemRoot', 'TEMP', 'TMP']
