import type { BundleRow } from './bundle-reader.ts'
import { fileColumns } from './csv-files.ts'
import type { Metadata } from './import-target.ts'

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
export function readMetadata({ file, values, headings }: BundleRow): Metadata | null {
  const own = [...values].filter(([heading]) => known.get(file)?.has(heading) === false && heading !== '')
  if (own.length === 0) return null
  return Object.fromEntries(
    own.map(([heading, value]) => [(headings.get(heading) ?? heading).replace(/^metadata\./i, ''), value]),
  )
}
