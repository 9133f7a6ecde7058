/**
 * A response whose bytes have all arrived. Reading its text needs no stream: through the stream of a `Response` that
 * takes as long as the request.
 */
export class BufferedResponse extends Response {
  readonly #bytes: Uint8Array<ArrayBuffer>
  #streamed: Response | undefined
  #isRead = false

  constructor(bytes: Uint8Array<ArrayBuffer>, init: ResponseInit) {
    super(null, init)
    this.#bytes = bytes
  }

  override get bodyUsed() {
    return this.#isRead || this.#streamed?.bodyUsed === true
  }
  override get body() {
    return this.#isRead ? null : this.#stream().body
  }
  override async text() {
    if (this.bodyUsed) throw new TypeError('Body is unusable: Body has already been read')
    this.#isRead = true
    return UTF8.decode(this.#bytes)
  }
  override async json() {
    return JSON.parse(await this.text())
  }
  override arrayBuffer = () => this.#stream().arrayBuffer()
  override blob = () => this.#stream().blob()
  override bytes = () => this.#stream().bytes()
  override formData = () => this.#stream().formData()
  override clone = () => this.#stream().clone()

  #stream(): Response {
    if (this.#isRead) throw new TypeError('Body is unusable: Body has already been read')
    this.#streamed ??= new Response(this.#bytes.length > 0 ? this.#bytes : null, this)
    return this.#streamed
  }
}

const UTF8 = new TextDecoder()
