/** A parameter of a header value, without its quotes. Text within the quotes of another parameter is ignored. */
export const headerParameter = (header: string, name: string): string | undefined => {
  for (const [, own = '', quoted, bare] of header.matchAll(PARAMETER)) {
    if (own.toLowerCase() !== name) continue
    // Browsers write Windows paths with single backslashes, so only a quote and a backslash are unescaped.
    return quoted === undefined ? bare : quoted.replace(/\\(["\\])/g, '$1')
  }
  return undefined
}

const PARAMETER = /;\s*([^\s=;"]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s;]*))/g

/**
 * The file name of a Content-Disposition (RFC 6266, 4.3; RFC 7578, 4.2): only the last part of its path, because a sender must
 * not choose the folder. Undefined if it has none.
 */
export const fileNameOf = (disposition: string): string | undefined => {
  const encoded = /^utf-8'[^']*'(.*)$/i.exec(headerParameter(disposition, 'filename*') ?? '')?.[1]
  const plain = headerParameter(disposition, 'filename')
  const isOfForm = /^\s*form-data\b/i.test(disposition)
  const written = decoded(encoded) ?? (isOfForm && plain !== undefined ? unescaped(plain) : plain)
  return written === undefined ? undefined : baseName(written)
}

/** Decodes the escapes of a name: HTML, "multipart/form-data encoding algorithm". */
export const unescaped = (name: string): string =>
  name.replace(/%(22|0D|0A)/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))

const decoded = (text: string | undefined): string | undefined => {
  try {
    return text === undefined ? undefined : decodeURIComponent(text)
  } catch {
    return undefined
  }
}

/**
 * The name without folders, control characters, line ends and characters that change the direction of text, which can disguise
 * an extension; empty for `.` and `..`.
 */
const baseName = (path: string): string => {
  const name = (path.split(/[\\/]/).at(-1) ?? '').replace(
    /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu,
    '',
  )
  return /^\.{1,2}$/.test(name) ? '' : name
}
