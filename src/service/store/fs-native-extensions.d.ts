/** The part of the package that we use; it has no types of its own. */
declare module 'fs-native-extensions' {
  /** Takes an exclusive lock on the open file: false if another open file has it. */
  export function tryLock(fd: number): boolean
}
