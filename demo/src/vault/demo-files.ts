import { deflateSync } from 'node:zlib'
import PDFDocument from 'pdfkit'

/** One page of PDF with a heading and lines of text: the same bytes for the same words. */
export function pdfPage(title: string, lines: readonly string[], moment: number): Promise<Buffer> {
  const date = new Date(moment)
  return new Promise((resolve, reject) => {
    const page = new PDFDocument({ size: 'A4', margin: 72, info: { Title: title, CreationDate: date, ModDate: date } })
    const chunks: Buffer[] = []
    page.on('data', (chunk: Buffer) => chunks.push(chunk))
    page.on('end', () => resolve(Buffer.concat(chunks)))
    page.on('error', reject)
    page.font('Helvetica-Bold').fontSize(20).text(title).moveDown()
    page.font('Helvetica').fontSize(12)
    for (const line of lines) page.text(line).moveDown(0.5)
    page.end()
  })
}

const side = 96

/** A square picture of one colour with a lighter disc, in the place of a portrait: PNG (ISO/IEC 15948). */
export function pngPortrait(hue: number): Buffer {
  const [red, green, blue] = [0, 120, 240].map(
    (shift) => 90 + Math.round(60 * Math.cos(((hue + shift) * Math.PI) / 180)),
  )
  const rows = Buffer.alloc(side * (1 + 3 * side))
  for (let y = 0; y < side; y += 1) {
    for (let x = 0; x < side; x += 1) {
      const isFace = (x - 48) ** 2 + (y - 38) ** 2 < 20 ** 2 || ((x - 48) / 34) ** 2 + ((y - 92) / 30) ** 2 < 1
      const light = isFace ? 90 : 0
      const position = y * (1 + 3 * side) + 1 + 3 * x
      rows.set([(red ?? 0) + light, (green ?? 0) + light, (blue ?? 0) + light], position)
    }
  }
  const header = Buffer.alloc(13)
  header.writeUInt32BE(side, 0)
  header.writeUInt32BE(side, 4)
  header.set([8, 2, 0, 0, 0], 8)
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const length = Buffer.alloc(4)
  length.writeUInt32BE(data.length)
  const check = Buffer.alloc(4)
  check.writeUInt32BE(checksum(body))
  return Buffer.concat([length, body, check])
}

/** CRC-32 as PNG has it (ISO/IEC 15948 annex D). */
function checksum(bytes: Buffer): number {
  let crc = 0xffffffff
  for (const byte of bytes) {
    crc ^= byte
    for (let bit = 0; bit < 8; bit += 1) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0)
  }
  return (crc ^ 0xffffffff) >>> 0
}
