/** Loads a script; it can be called again after a failure. Rejects if the script cannot be loaded. */
export const loadScript = (src: string): Promise<unknown> =>
  new Promise((resolve, reject) => {
    const script = document.createElement('script')
    script.src = src
    script.addEventListener('load', resolve)
    script.addEventListener('error', () => {
      script.remove()
      reject(new Error(`${src} could not be loaded`))
    })
    document.head.append(script)
  })
