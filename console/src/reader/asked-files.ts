interface Waiting {
  readonly bytes: Promise<ArrayBuffer>
  readonly settle: (bytes: ArrayBuffer | null) => void
}

/** Files of the library that only some papers need, which are asked for by their names and kept while the page is. */
export class AskedFiles {
  readonly #ask: (name: string) => void
  readonly #waiting = new Map<string, Waiting>()

  constructor(ask: (name: string) => void) {
    this.#ask = ask
  }

  /** What the library makes, and from which it takes files. */
  get factory() {
    const read = (name: string) => this.#read(name)
    return class {
      readonly fetch = ({ filename }: { readonly filename: string }) => read(filename)
    }
  }

  /** Hands over what was asked for; null where there is no such file. */
  came(name: string, bytes: ArrayBuffer | null): void {
    this.#waiting.get(name)?.settle(bytes)
  }

  async #read(name: string): Promise<Uint8Array> {
    const { bytes } = this.#waiting.get(name) ?? this.#begin(name)
    return new Uint8Array((await bytes).slice(0))
  }

  #begin(name: string): Waiting {
    let settle: Waiting['settle'] = () => {}
    const bytes = new Promise<ArrayBuffer>((resolve, reject) => {
      settle = (came) => (came === null ? reject(new Error(`There is no ${name}.`)) : resolve(came))
    })
    const waiting = { bytes, settle }
    this.#waiting.set(name, waiting)
    this.#ask(name)
    return waiting
  }
}
