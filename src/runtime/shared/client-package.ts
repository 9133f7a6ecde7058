/** The header in which a client names its package and version: `@acme/orders/1.4.2`. */
export const PACKAGE_HEADER = 'x-client-package'

/** A name as npm has it, and a version. */
export const isClientPackage = (text: string): boolean =>
  /^(?:@[\w.-]{1,214}\/)?[\w.-]{1,214}\/[\w.+-]{1,50}$/.test(text)
