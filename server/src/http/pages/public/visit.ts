import { chooseLocale, findLocale, type PageContext } from '@matricula/pages'
import type { FastifyRequest } from 'fastify'
import { type FilePart, formParts, type TextPart } from './form-parts.ts'

/** A request of somebody without an account to a public page. */
export class Visit {
  readonly requestId: string
  /** The client's address. */
  readonly address: string
  readonly params: Readonly<Record<string, string>>
  /** Whether a script sent it, which reads problem documents instead of pages. */
  readonly isScript: boolean
  readonly #request: FastifyRequest
  readonly #assets: string

  constructor(request: FastifyRequest, assets: string) {
    this.requestId = request.id
    this.address = request.ip
    this.params = request.params as Record<string, string>
    this.isScript = (request.headers.accept ?? '').startsWith('application/json')
    this.#request = request
    this.#assets = assets
  }

  /**
   * The context of a page, in the language of the reader; `locale` is the language set for the page, `language` that
   * of the institution's own texts.
   */
  place(path: string, below = '', locale: string | null = null, language: string | null = null): PageContext {
    const { query, headers, url } = this.#request
    const { lang } = query as { lang?: string | string[] }
    const chosen = findLocale(typeof lang === 'string' ? lang : null)
    const depth = (url.split('?')[0] as string).split('/').length - 2
    return {
      locale: chooseLocale(chosen, headers['accept-language'], locale, language),
      isLocaleChosen: chosen !== null,
      root: depth === 0 ? './' : '../'.repeat(depth),
      path,
      below,
      assets: this.#assets,
    }
  }

  /**
   * The parts of a form as they arrive; a file is a stream and is not buffered. When the caller stops, the rest is
   * discarded.
   *
   * @throws Problem `unsupported_media_type`, `content_too_large`, `validation_failed` for a part without a name.
   */
  parts(): AsyncGenerator<FilePart | TextPart> {
    return formParts(this.#request.raw)
  }
}
