import { type GradebookKind, gradebookKinds } from '../../gradebook/gradebook-kinds.ts'
import { EntryImport } from '../../gradebook/import-entries.ts'
import { parseEntry, type SentEntry } from '../../gradebook/parse-entry.ts'
import { deleteMissing, type Outcome } from '../../gradebook/write-entries.ts'
import { OneRosterError } from '../../protocol/oneroster-error.ts'
import { loadContextIn } from '../../roster/load-context.ts'
import type { BundleRow } from '../bundle-reader.ts'
import { readCell } from '../bundle-values.ts'
import { readMetadata } from '../row-metadata.ts'
import type { BundleState } from './bundle-state.ts'

type Sent = Readonly<Record<string, unknown>>

/** A file of the gradebook: which class its rows are of, and how the members are read. */
interface GradebookFile {
  readonly file: string
  readonly kind: GradebookKind
  /** The file that says which score scale each object has. */
  readonly scales?: { readonly file: string; readonly heading: string }
  read(row: BundleRow, state: BundleState): Sent
}

const reference = (row: BundleRow, ...headings: readonly string[]) => {
  const sourcedId = readCell(row, ...headings)
  return sourcedId === null ? undefined : { sourcedId }
}

/** A time, also one with a blank in the middle. */
const moment = (row: BundleRow, heading: string) => readCell(row, heading)?.replace(/^(\S{10}) (?=\S)/, '$1T')

const files: readonly GradebookFile[] = [
  {
    file: 'categories',
    kind: gradebookKinds.category,
    read: (row) => ({ title: readCell(row, 'title'), weight: readCell(row, 'weight') }),
  },
  {
    file: 'scoreScales',
    kind: gradebookKinds.scoreScale,
    read: (row) => ({
      title: readCell(row, 'title'),
      type: readCell(row, 'type'),
      course: reference(row, 'courseSourcedId'),
      class: reference(row, 'classSourcedId'),
      scoreScaleValue: readScaleValues(readCell(row, 'scoreScaleValue', 'scoreScaleValues')),
    }),
  },
  {
    file: 'lineItems',
    kind: gradebookKinds.lineItem,
    scales: { file: 'lineItemScoreScales', heading: 'lineItemSourcedId' },
    read: (row, { tenant, institution }) => ({
      title: readCell(row, 'title'),
      description: readCell(row, 'description'),
      assignDate: moment(row, 'assignDate'),
      dueDate: moment(row, 'dueDate'),
      class: reference(row, 'classSourcedId'),
      school: reference(row, 'schoolSourcedId') ?? { sourcedId: institution ?? tenant.id },
      category: reference(row, 'categorySourcedId'),
      gradingPeriod: reference(row, 'gradingPeriodSourcedId'),
      academicSession: reference(row, 'academicSessionSourcedId'),
      resultValueMin: readCell(row, 'resultValueMin'),
      resultValueMax: readCell(row, 'resultValueMax'),
    }),
  },
  {
    file: 'results',
    kind: gradebookKinds.result,
    scales: { file: 'resultScoreScales', heading: 'resultSourcedId' },
    read: (row) => ({
      lineItem: reference(row, 'lineItemSourcedId'),
      student: reference(row, 'studentSourcedId'),
      class: reference(row, 'classSourcedId'),
      scoreStatus: readCell(row, 'scoreStatus')?.toLowerCase(),
      score: readCell(row, 'score'),
      textScore: readCell(row, 'textScore'),
      scoreDate: moment(row, 'scoreDate'),
      comment: readCell(row, 'comment'),
      ...Object.fromEntries(
        ['inProgress', 'incomplete', 'late', 'missing'].map((name) => [name, readFlag(readCell(row, name))]),
      ),
    }),
  },
]

function readFlag(value: string | null): string | null {
  if (value === null) return null
  return ['true', '1', 'yes'].includes(value.toLowerCase()) ? 'true' : 'false'
}

/** The values of a score scale, which a cell has as `{A:90},{B:80}`. */
function readScaleValues(value: string | null): object[] | undefined {
  if (value === null) return undefined
  return [...value.matchAll(/\{([^:{}]+):([^{}]*)\}/g)].map(([, left = '', right = '']) => ({
    itemValueLHS: left.trim(),
    itemValueRHS: right.trim(),
  }))
}

/** Rows that are stored together. */
const batchRows = 1000

/** A row, and what it says: an object, or why it is none. */
interface ReadRow {
  readonly row: BundleRow
  readonly entry: SentEntry | OneRosterError
}

/** Categories, score scales, line items and results, kept as they come. */
export async function importGradebook(state: BundleState): Promise<void> {
  const { tx, tenant, change, bundle, counts } = state
  const entries = new EntryImport(tx, change, await loadContextIn(tx, tenant))
  for (const gradebookFile of files) {
    const { file, kind, scales } = gradebookFile
    const scaleOf = scales === undefined ? new Map<string, string>() : await readScales(state, scales)
    const present: string[] = []
    let batch: ReadRow[] = []
    for await (const row of bundle.rows(file)) {
      const entry = readEntry(row, state, gradebookFile, scaleOf)
      if (!(entry instanceof OneRosterError)) present.push(entry.sourcedId)
      batch.push({ row, entry })
      if (batch.length < batchRows) continue
      await saveBatch(state, entries, kind, batch)
      batch = []
    }
    await saveBatch(state, entries, kind, batch)
    // A file that has all there is withdraws what earlier bundles brought; one without rows says nothing.
    if (present.length > 0 && bundle.isBulk(file)) counts.updated += await deleteMissing(tx, change, kind, present)
  }
}

function readEntry(
  row: BundleRow,
  state: BundleState,
  { kind, read }: GradebookFile,
  scaleOf: ReadonlyMap<string, string>,
): SentEntry | OneRosterError {
  const sourcedId = readCell(row, 'sourcedId')
  const scale = sourcedId === null ? undefined : scaleOf.get(sourcedId)
  const metadata = readMetadata(row)
  const sent = {
    sourcedId,
    status: readCell(row, 'status')?.toLowerCase() === 'tobedeleted' ? 'tobedeleted' : 'active',
    ...read(row, state),
    ...(scale !== undefined && { scoreScale: { sourcedId: scale } }),
    ...(metadata !== null && { metadata }),
  }
  try {
    return parseEntry(kind, Object.fromEntries(Object.entries(sent).filter(([, value]) => value !== undefined)), null)
  } catch (error) {
    if (error instanceof OneRosterError) return error
    throw error
  }
}

/** Stores what the rows say; why one is not stored is a fault of the row. */
async function saveBatch(
  { counts, faults }: BundleState,
  entries: EntryImport,
  kind: GradebookKind,
  batch: readonly ReadRow[],
): Promise<void> {
  const read = batch.filter(({ entry }) => !(entry instanceof OneRosterError))
  const saved = await entries.save(
    kind,
    read.map(({ entry }) => entry as SentEntry),
  )
  const outcomes = new Map(read.map((each, index) => [each, saved[index] as Outcome | OneRosterError]))
  for (const each of batch) {
    const outcome = outcomes.get(each) ?? (each.entry as OneRosterError)
    if (!(outcome instanceof OneRosterError)) {
      counts[outcome] += 1
      continue
    }
    const isReference = outcome.message.includes('nothing with this sourcedId')
    faults.add(each.row, null, isReference ? 'reference_not_found' : 'inconsistent', outcome.message)
  }
}

/** The score scales of objects, by the sourcedIds of these. */
async function readScales(
  { bundle }: BundleState,
  { file, heading }: NonNullable<GradebookFile['scales']>,
): Promise<Map<string, string>> {
  const scales = new Map<string, string>()
  for await (const row of bundle.rows(file)) {
    const [of, scale] = [readCell(row, heading), readCell(row, 'scoreScaleSourcedId')]
    if (of !== null && scale !== null) scales.set(of, scale)
  }
  return scales
}
