import { posix } from 'node:path'
import { UnreadableFile } from '../../row-errors.ts'
import { attribute, readXml } from './xml-events.ts'
import type { ZipParts } from './zip-parts.ts'

/** What of a workbook the cells of its first visible sheet need. */
export interface WorkbookFacts {
  readonly sheetName: string
  readonly sheetPart: string
  readonly strings: readonly string[]
  /** Whether the format of a cell, by its index, shows a date or a time. */
  readonly dateFormats: readonly boolean[]
  /** Whether days are counted from 1904. */
  readonly is1904: boolean
}

/** The most characters that the shared texts of a workbook may have. */
const maxStringCharacters = 128 * 1024 * 1024

/** Reads what a workbook says of its sheets. Throws `UnreadableFile`. */
export async function readFacts(parts: ZipParts): Promise<WorkbookFacts> {
  const root = await readRelations(parts, '')
  const workbook = root.find(({ type }) => type.endsWith('/officeDocument'))?.target ?? 'xl/workbook.xml'
  const sheets: { name: string; relation: string; isHidden: boolean }[] = []
  let is1904 = false
  await readXml(parts.read(workbook), {
    open: (name, attributes) => {
      if (name === 'workbookPr') is1904 = ['1', 'true'].includes(attributes.date1904 ?? '')
      if (name !== 'sheet') return
      const isHidden = (attributes.state ?? 'visible') !== 'visible'
      // `id` of the relation, not `sheetId`.
      const relation = Object.entries(attributes).find(([key]) => key === 'id' || key.endsWith(':id'))?.[1] ?? ''
      sheets.push({ name: attributes.name ?? '', relation, isHidden })
    },
  })
  const relations = await readRelations(parts, workbook)
  const sheet = sheets.find(({ isHidden }) => !isHidden)
  const sheetPart = relations.find(({ id }) => id === sheet?.relation)?.target
  if (sheet === undefined || sheetPart === undefined) {
    throw new UnreadableFile('broken_workbook', 'has no visible sheet')
  }
  const find = (type: string) => relations.find((relation) => relation.type.endsWith(type))?.target
  const stringsPart = find('/sharedStrings')
  const stylesPart = find('/styles')
  return {
    sheetName: sheet.name,
    sheetPart,
    strings: stringsPart !== undefined && parts.has(stringsPart) ? await readStrings(parts, stringsPart) : [],
    dateFormats: stylesPart !== undefined && parts.has(stylesPart) ? await readFormats(parts, stylesPart) : [],
    is1904,
  }
}

interface Relation {
  readonly id: string
  readonly type: string
  readonly target: string
}

/** The parts that a part refers to; those of the whole package for the empty name. */
async function readRelations(parts: ZipParts, part: string): Promise<Relation[]> {
  const folder = posix.dirname(part)
  const location = part === '' ? '_rels/.rels' : posix.join(folder, '_rels', `${posix.basename(part)}.rels`)
  if (!parts.has(location)) return []
  const relations: Relation[] = []
  await readXml(parts.read(location), {
    open: (name, attributes) => {
      if (name !== 'Relationship') return
      const target = (attributes.Target ?? '').replaceAll('\\', '/')
      const full = target.startsWith('/') ? target.slice(1) : posix.join(part === '' ? '' : folder, target)
      relations.push({ id: attributes.Id ?? '', type: attributes.Type ?? '', target: full })
    },
  })
  return relations
}

async function readStrings(parts: ZipParts, part: string): Promise<string[]> {
  const strings: string[] = []
  let text = ''
  let characters = 0
  let isText = false
  let phonetic = 0
  await readXml(parts.read(part), {
    open: (name) => {
      if (name === 'si') text = ''
      else if (name === 'rPh') phonetic += 1
      else if (name === 't') isText = phonetic === 0
    },
    text: (piece) => {
      if (isText) text += piece
    },
    close: (name) => {
      if (name === 't') isText = false
      else if (name === 'rPh') phonetic -= 1
      else if (name === 'si') {
        characters += text.length
        if (characters > maxStringCharacters) throw new UnreadableFile('too_large', 'has too many texts')
        strings.push(plainText(text))
      }
    },
  })
  return strings
}

/** Characters that workbooks escape, such as `_x000D_` (ECMA-376 part 1, §22.9.2.19). */
export function plainText(text: string): string {
  if (!text.includes('_x')) return text
  return text.replace(/_x([0-9a-fA-F]{4})_/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
}

async function readFormats(parts: ZipParts, part: string): Promise<boolean[]> {
  const codes = new Map<number, string>()
  const formats: boolean[] = []
  let isInFormats = false
  await readXml(parts.read(part), {
    open: (name, attributes) => {
      if (name === 'numFmt') codes.set(Number(attributes.numFmtId), attribute(attributes, 'formatCode') ?? '')
      if (name === 'cellXfs') isInFormats = true
      if (name === 'xf' && isInFormats) formats.push(isDateFormat(Number(attributes.numFmtId ?? 0), codes))
    },
    close: (name) => {
      if (name === 'cellXfs') isInFormats = false
    },
  })
  return formats
}

/** Whether a number format shows a date or a time. The id of a custom one says nothing: its code is read. */
function isDateFormat(id: number, codes: ReadonlyMap<number, string>): boolean {
  const code = codes.get(id)
  if (code === undefined)
    return (id >= 14 && id <= 22) || (id >= 27 && id <= 36) || (id >= 45 && id <= 58 && id !== 48 && id !== 49)
  const plain = code
    .replace(/"[^"]*"/g, '')
    .replace(/\\./g, '')
    .replace(/_./g, '')
    .replace(/\[[^[\]]*\]/g, '')
    .replace(/General/gi, '')
  return /[ymdhs]/i.test(plain)
}
