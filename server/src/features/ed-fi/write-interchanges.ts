import { createWriteStream } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { type Database, sql } from '../../database/index.ts'
import type { ExportFolder } from '../imports/index.ts'
import type { InterchangePart } from './interchange-part.ts'
import { interchanges } from './interchanges.ts'

/** What an export has: how many elements of each name, and how many students Ed-Fi cannot have. */
interface InterchangeCounts {
  readonly elements: Readonly<Record<string, number>>
  readonly studentsWithoutBirthDate: number
}

const namespace = 'http://ed-fi.org/5.2.0'

/**
 * Writes students, contacts, enrolments and attendance of an institution as bulk interchange of Ed-Fi Data Standard 5.2, one
 * document of XML for each interchange that has elements. Rows are written while they are read.
 *
 * @param schoolId The number by which the receiver knows the institution
 * @param counted Told of each batch
 */
export async function writeInterchanges(
  database: Database,
  tenantId: string,
  folder: ExportFolder,
  schoolId: number,
  counted: (name: string, count: number) => void = () => {},
): Promise<InterchangeCounts> {
  const elements: Record<string, number> = {}
  const count = (name: string, more: number) => {
    elements[name] = (elements[name] ?? 0) + more
    counted(name, elements[name])
  }
  for (const [root, parts] of Object.entries(interchanges)) {
    const batches = readElements(database, tenantId, parts, schoolId, count)
    const first = await batches.next()
    // A document without elements would not be valid.
    if (first.done === true) continue
    await folder.make(`${root}.xml`, (path) =>
      pipeline(Readable.from(toDocument(root, first.value, batches)), createWriteStream(path)),
    )
  }
  const [missing] = await database.readSlowly<{ count: number }>(
    tenantId,
    sql`select count(*)::int as count from students s where s.tenant_id = ${tenantId} and s.date_of_birth is null`,
  )
  return { elements, studentsWithoutBirthDate: missing?.count ?? 0 }
}

async function* toDocument(root: string, first: string, further: AsyncIterable<string>): AsyncGenerator<string> {
  yield `<?xml version="1.0" encoding="UTF-8"?>\n<${root} xmlns="${namespace}">\n${first}`
  yield* further
  yield `</${root}>\n`
}

/** The elements of an interchange, a line for each. */
async function* readElements(
  database: Database,
  tenantId: string,
  parts: readonly InterchangePart[],
  schoolId: number,
  counted: (name: string, count: number) => void,
): AsyncGenerator<string> {
  for (const { name, select, toXml } of parts) {
    for await (const rows of database.readRows<never>(tenantId, select(tenantId))) {
      counted(name, rows.length)
      yield rows.map((row) => `${toXml(row, schoolId)}\n`).join('')
    }
  }
}
