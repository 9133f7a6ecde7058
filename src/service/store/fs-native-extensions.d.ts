/** What we use of it; the package has no types of its own. */
declare module 'fs-native-extensions' {
  /** An exclusive lock on the open file: false where another open file has it. */
  export function tryLock(fd: number): boolean
}
