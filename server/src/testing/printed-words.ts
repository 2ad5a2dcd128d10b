import { inflateSync } from 'node:zlib'

/** The words on the pages of a PDF that uses the fonts of every reader. */
export function printedWords(pdf: Buffer): string {
  const streams = [...pdf.toString('latin1').matchAll(/stream\r?\n([\s\S]*?)\r?\nendstream/g)].map(([, bytes]) => {
    try {
      return inflateSync(Buffer.from(bytes as string, 'latin1')).toString('latin1')
    } catch {
      return ''
    }
  })
  return [...streams.join('\n').matchAll(/\[((?:<[0-9a-f]*>[\s\d.-]*)+)\] TJ/g)]
    .map(([, parts]) =>
      [...(parts as string).matchAll(/<([0-9a-f]*)>/g)]
        .map(([, hex]) => Buffer.from(hex as string, 'hex').toString('latin1'))
        .join(''),
    )
    .join(' ')
}
