import type { BundleRow } from './bundle-reader.ts'
import { readCell } from './bundle-values.ts'
import { fileColumns } from './csv-files.ts'
import type { Unmapped } from './import-target.ts'

/** Columns that earlier versions have, or that are often written so, of any file. */
const furtherColumns = [
  ...'grade,orgSourcedIds,orgId,orgIds,role,userId,agents,schoolYearId,schoolYearSourcedId,courseId,classId,schoolId'.split(
    ',',
  ),
  ...'termSourcedId,terms,parentId,userSourcedId,resourceSourcedIds,prefferedGivenName,metadata,resources'.split(','),
]

const known = new Map(
  Object.entries(fileColumns).map(([file, columns]) => [
    `${file}.csv`,
    new Set([...columns, ...furtherColumns].map((column) => column.toLowerCase())),
  ]),
)

/** The columns of a row that OneRoster does not know, without `metadata.` before them; null without any. */
export function readMetadata({ file, values, headings }: BundleRow): Unmapped['metadata'] {
  const own = [...values].filter(([heading]) => known.get(file)?.has(heading) === false && heading !== '')
  if (own.length === 0) return null
  return Object.fromEntries(
    own.map(([heading, value]) => [(headings.get(heading) ?? heading).replace(/^metadata\./i, ''), value]),
  )
}

/** What a row says that our records have no field for: columns that OneRoster does not know, and some that it does. */
export function readUnmapped(row: BundleRow, ...headings: readonly string[]): Unmapped {
  const given = headings.flatMap((heading) => {
    const value = readCell(row, heading)
    return value === null ? [] : [[heading, value] as const]
  })
  return { metadata: readMetadata(row), members: given.length === 0 ? null : Object.fromEntries(given) }
}
