/** What became of something that was sent. */
export type Outcome =
  | { readonly kind: 'answered'; readonly status: number; readonly text: string; readonly address: string }
  | { readonly kind: 'lost' }
  | { readonly kind: 'cancelled' }

interface SendingOptions {
  readonly accept: 'application/json' | 'text/html'
  /** How often it is tried again by itself after the connection was lost or the service was busy. */
  readonly retries: number
  readonly onProgress: (part: number) => void
  readonly onRetry: (seconds: number) => void
}

/** How many seconds the service may ask to wait for; for longer nobody is kept in front of a button. */
const longestWait = 60

const busy = [429, 502, 503, 504]

/** Something on its way to the service, which survives lost connections by being sent again. */
export class Sending {
  readonly outcome: Promise<Outcome>
  readonly #url: string
  readonly #body: FormData
  readonly #options: SendingOptions
  #settle: (outcome: Outcome) => void = () => {}
  #request: XMLHttpRequest | null = null
  #timer: number | undefined
  #failures = 0

  constructor(url: string, body: FormData, options: SendingOptions) {
    this.#url = url
    this.#body = body
    this.#options = options
    this.outcome = new Promise((resolve) => {
      this.#settle = resolve
    })
    this.#send()
  }

  cancel(): void {
    this.#settle({ kind: 'cancelled' })
    clearTimeout(this.#timer)
    removeEventListener('online', this.#now)
    this.#request?.abort()
  }

  #send(): void {
    const request = new XMLHttpRequest()
    this.#request = request
    request.open('POST', this.#url)
    request.setRequestHeader('Accept', this.#options.accept)
    request.upload.onprogress = ({ loaded, total }) => this.#options.onProgress(total === 0 ? 0 : loaded / total)
    request.onload = () => {
      const { status, responseText: text, responseURL: address } = request
      const wait = Number(request.getResponseHeader('Retry-After')) || 0
      if (busy.includes(status) && wait <= longestWait && this.#failures < this.#options.retries) {
        this.#retry(wait)
      } else {
        this.#settle({ kind: 'answered', status, text, address })
      }
    }
    request.onerror = () => this.#retry(0)
    request.ontimeout = () => this.#retry(0)
    request.send(this.#body)
  }

  /** Waits 1, 2, 4, 8 and then 15 seconds, or as long as the service asks for, or until there is a network again. */
  #retry(minSeconds: number): void {
    if (this.#failures >= this.#options.retries) {
      this.#settle({ kind: 'lost' })
      return
    }
    const seconds = Math.max(minSeconds, Math.min(15, 2 ** this.#failures))
    this.#failures += 1
    this.#options.onRetry(seconds)
    // A little chance keeps many phones that lost the same network from coming back at the same moment.
    this.#timer = setTimeout(this.#now, seconds * (1 + Math.random() / 4) * 1000)
    addEventListener('online', this.#now, { once: true })
  }

  readonly #now = (): void => {
    clearTimeout(this.#timer)
    removeEventListener('online', this.#now)
    this.#send()
  }
}
