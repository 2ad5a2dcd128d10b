import type { MultipartFile } from '@fastify/multipart'
import { chooseLocale, findLocale, type PageContext } from '@matricula/pages'
import type { FastifyRequest } from 'fastify'
import { Problem } from '../../../errors/index.ts'
import { unreadableForm } from './page-problem.ts'

/** Limits of a form: parts of any kind, files, bytes of one text, and bytes of the names and texts of all parts. */
export const formBounds = { parts: 2050, files: 50, textBytes: 64 * 1024, allTextBytes: 1024 * 1024 } as const

/** An incoming file: its bytes must be read before the next part is requested. */
export interface FilePart {
  readonly kind: 'file'
  readonly name: string
  /** The file name given by the sender, empty where no file was chosen. */
  readonly fileName: string
  /** The media type declared by the sender. */
  readonly mimeType: string
  readonly bytes: AsyncIterable<Uint8Array>
}

export interface TextPart {
  readonly kind: 'text'
  readonly name: string
  readonly text: string
}

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
  async *parts(): AsyncGenerator<FilePart | TextPart> {
    if (!this.#request.isMultipart()) {
      const allowed = ['multipart/form-data']
      throw new Problem('unsupported_media_type', 'Send the form as multipart/form-data.', { allowed })
    }
    let files = 0
    let left: number = formBounds.allTextBytes
    try {
      for await (const part of this.#request.parts()) {
        if (part.type === 'field') continue // every part is parsed as a file
        const name = requireName(part.fieldname)
        left -= Buffer.byteLength(name)
        if (part.filename === undefined) {
          const { text, bytes } = await loadText(part, left)
          left -= bytes
          yield { kind: 'text', name, text }
        } else {
          files += 1
          if (files > formBounds.files)
            throw new Problem('content_too_large', `A form has at most ${formBounds.files} files.`)
          yield filePart(part, name)
          part.file.resume() // discard what was not read, else no further part arrives
        }
      }
    } finally {
      // The parser goes on after its limit, at 20 µs for each five bytes that begin a part.
      this.#request.raw.unpipe()
      this.#request.raw.resume()
    }
  }
}

/** The text of a part within the limits; `left` is what remains for all texts of the form, in bytes. */
async function loadText({ file }: MultipartFile, left: number): Promise<{ text: string; bytes: number }> {
  const { textBytes, allTextBytes } = formBounds
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of file) {
    bytes += chunk.length
    if (bytes > textBytes) throw tooLong('One text of a form', textBytes)
    if (bytes > left) break
    chunks.push(chunk)
  }
  if (bytes > left) throw tooLong('The texts of a form together', allTextBytes)
  return { text: Buffer.concat(chunks).toString('utf8'), bytes }
}

function tooLong(what: string, maxBytes: number): Problem {
  return new Problem('content_too_large', `${what} may have at most ${maxBytes} bytes.`, { maxBytes })
}

/** The name of a part, which the parser does not require. */
function requireName(name: string | undefined): string {
  if (name !== undefined) return name
  throw unreadableForm({ in: 'body', pointer: '#', detail: 'has a part without a name (RFC 7578 §4.2)' })
}

function filePart({ filename, mimetype, file }: MultipartFile, name: string): FilePart {
  return { kind: 'file', name, fileName: filename, mimeType: mimetype, bytes: file }
}
