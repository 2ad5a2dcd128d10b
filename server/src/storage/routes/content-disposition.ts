import { normalForm } from '../../values/index.ts'
import type { Disposition } from '../file-store.ts'

/** What browsers show by themselves without running anything of it. */
const shown =
  /^(?:image\/(?:png|jpeg|gif|webp|avif|bmp|heic|heif|tiff)|application\/pdf|text\/(?:plain|csv)|(?:audio|video)\/.+)$/

/** How a file is handed out: a type that a browser might run is always an attachment, whatever was asked for. */
export function allowedDisposition(asked: Disposition, mimeType: string): Disposition {
  return shown.test(mimeType) ? asked : 'attachment'
}

/**
 * A Content-Disposition header (RFC 6266) that names a file: in ASCII for old programs and, where that is not the
 * whole name, in UTF-8 (RFC 8187). Printable ASCII only, whatever the name is, of which it tells the beginning where
 * it is longer than programs take.
 */
export function contentDisposition(disposition: Disposition, fileName: string): string {
  const name = shortened(safeFileName(fileName))
  // A percent sign is decoded by some programs, and quotes or backslashes are read differently by others.
  const ascii = name.replace(/[^\x20-\x7e]|["%\\]/gu, '_')
  const plain = `${disposition}; filename="${ascii}"`
  return ascii === name ? plain : `${plain}; filename*=UTF-8''${extendedValue(name)}`
}

/** A name that is one name in every file system: no controls, no marks that reverse the direction, no separators. */
export function safeFileName(fileName: string): string {
  const name = normalForm(fileName, 'NFC')
    .replace(/[\p{Cc}\p{Bidi_Control}\p{Zl}\p{Zp}]/gu, '')
    .replace(/[\p{Cs}/\\]/gu, '_')
    .trim()
  return /^\.*$/.test(name) ? 'file' : name
}

/** Maximum length of a file name in the header, in characters. */
const maxCharacters = 200

/** The beginning of a name that is too long, with its ending. */
function shortened(name: string): string {
  const characters = [...name.slice(0, 2 * maxCharacters)]
  if (characters.length <= maxCharacters && characters.join('') === name) return name
  const [ending = ''] = /\.[^.\s]{1,10}$/.exec(name) ?? []
  return characters.slice(0, maxCharacters - ending.length).join('') + ending
}

function extendedValue(name: string): string {
  return encodeURIComponent(name).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}
