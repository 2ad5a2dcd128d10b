import { crc32 } from 'node:zlib'

/** Small files of many kinds, each as real programs write them, as far as their type is told from it. */

export const pdf = Buffer.from(
  '%PDF-1.7\n%\xe2\xe3\xcf\xd3\n1 0 obj\n<< /Type /Catalog >>\nendobj\ntrailer\n<<>>\n%%EOF\n',
  'latin1',
)

export const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

export const gif = Buffer.from('R0lGODlhAQABAIAAAP///wAAACH5BAEAAAAALAAAAAABAAEAAAICRAEAOw==', 'base64')

export const jpeg = Buffer.from('ffd8ffe000104a46494600010100000100010000ffdb004300030202020202030202', 'hex')

export const webp = Buffer.concat([
  Buffer.from('RIFF'),
  Buffer.from('1a000000', 'hex'),
  Buffer.from('WEBPVP8L'),
  Buffer.alloc(18),
])

export const heic = Buffer.concat([
  Buffer.from('00000018', 'hex'),
  Buffer.from('ftypheic\0\0\0\0mif1heic'),
  Buffer.alloc(40),
])

export const bmp = Buffer.concat([Buffer.from('BM'), Buffer.from('3a0000000000000036000000', 'hex'), Buffer.alloc(44)])

export const rtf = Buffer.from('{\\rtf1\\ansi Hello}')

/** A program for Windows. */
export const exe = Buffer.concat([Buffer.from('MZ'), Buffer.from('90000300000004000000ffff', 'hex'), Buffer.alloc(100)])

/** A ZIP file of entries that are not compressed. */
export function zip(entries: Record<string, string>, comment = ''): Buffer {
  const locals: Buffer[] = []
  const list: Buffer[] = []
  let position = 0
  for (const [name, content] of Object.entries(entries)) {
    const bytes = Buffer.from(content)
    const local = Buffer.alloc(30)
    local.writeUInt32LE(0x04034b50, 0)
    local.writeUInt32LE(crc32(bytes), 14)
    local.writeUInt32LE(bytes.length, 18)
    local.writeUInt32LE(bytes.length, 22)
    local.writeUInt16LE(Buffer.byteLength(name), 26)
    const entry = Buffer.alloc(46)
    entry.writeUInt32LE(0x02014b50, 0)
    local.copy(entry, 6, 4, 30)
    entry.writeUInt32LE(position, 42)
    locals.push(local, Buffer.from(name), bytes)
    list.push(entry, Buffer.from(name))
    position += local.length + Buffer.byteLength(name) + bytes.length
  }
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt32LE(Buffer.concat(list).length, 12)
  end.writeUInt32LE(position, 16)
  end.writeUInt16LE(comment.length, 20)
  return Buffer.concat([...locals, ...list, end, Buffer.from(comment)])
}

/** A compound file whose directory, with the names given, comes after `sectorsBefore` sectors. */
export function compoundFile(rootClass: string, names: string[], sectorsBefore = 1): Buffer {
  const header = Buffer.alloc(512)
  Buffer.from('d0cf11e0a1b11ae1', 'hex').copy(header)
  header.writeUInt16LE(3, 26)
  header.writeUInt16LE(9, 30)
  header.writeUInt32LE(sectorsBefore, 48)
  const entries = ['Root Entry', ...names].map((name) => {
    const entry = Buffer.alloc(128)
    entry.write(name, 'utf16le')
    entry.writeUInt16LE(2 * name.length + 2, 64)
    return entry
  })
  Buffer.from(rootClass, 'hex').copy(entries[0] as Buffer, 80)
  return Buffer.concat([header, Buffer.alloc(512 * sectorsBefore), ...entries, Buffer.alloc(512)])
}
