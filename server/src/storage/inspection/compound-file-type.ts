const entryBytes = 128
const unknown = 'application/x-cfb'

const word = 'application/msword'
const excel = 'application/vnd.ms-excel'
const powerPoint = 'application/vnd.ms-powerpoint'
const outlook = 'application/vnd.ms-outlook'

/** Class of the root storage, by its first four bytes: the rest is the same for all but PowerPoint. */
const classes = new Map<number, string>([
  [0x00020906, word],
  [0x00020900, word],
  [0x00020810, excel],
  [0x00020820, excel],
  [0x64818d10, powerPoint],
  [0x00020d0b, outlook],
  [0x000c1084, 'application/x-msi'],
])

/** Streams that only files of a kind have at their root. */
const streams = new Map<string, string>([
  ['WordDocument', word],
  ['PowerPoint Document', powerPoint],
  ['Workbook', excel],
  ['Book', excel],
  ['__nameid_version1.0', outlook],
])

/**
 * The media type of a compound file ([MS-CFB] 2.6), the container of Office 97 to 2003, by the beginning of its
 * directory: the class of its root, else the stream that only one kind has. `application/x-cfb` when neither tells.
 */
export function compoundFileType(directory: Buffer): string {
  if (directory.length < entryBytes) return unknown
  const byClass = classes.get(directory.readUInt32LE(80))
  if (byClass !== undefined) return byClass
  for (let position = entryBytes; position + entryBytes <= directory.length; position += entryBytes) {
    const type = streams.get(getName(directory.subarray(position, position + entryBytes)))
    if (type !== undefined) return type
  }
  return unknown
}

/** A name of at most 31 characters in UTF-16, whose length counts the two bytes that end it. */
function getName(entry: Buffer): string {
  return entry.toString('utf16le', 0, Math.max(0, Math.min(entry.readUInt16LE(64), 64) - 2))
}
