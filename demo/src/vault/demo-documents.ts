import { createHash } from 'node:crypto'
import type { FileStore } from '@matricula/server/storage/index'
import { fileKey } from '@matricula/server/storage/index'
import type { RowOf } from '../copy.ts'
import type { Plan } from '../plan.ts'
import type { Random } from '../random.ts'
import { day, hour, stamp } from '../records/calendar.ts'
import { pdfPage, pngPortrait } from './demo-files.ts'
import type { documentLinksTable, documentsTable, versionsTable } from './vault-tables.ts'

/** A student or an application that documents belong to. */
export interface DocumentOwner {
  readonly kind: 'student' | 'application'
  readonly id: string
  readonly name: string
  readonly since: number
  readonly contact: { readonly id: string | null; readonly name: string; readonly email: string | null }
}

/** A type of documents of the tenant. */
export interface DemoDocumentType {
  readonly id: string
  readonly name: string
  /** What it is called in other languages. */
  readonly names: Readonly<Record<string, string>>
}

/** The types of documents of a tenant, by key. */
export type DemoDocumentTypes = ReadonlyMap<string, DemoDocumentType>

/** The documents of the demo, their rows and the bytes of their files. */
export interface DocumentRows {
  readonly documents: RowOf<typeof documentsTable>[]
  readonly versions: RowOf<typeof versionsTable>[]
  readonly links: RowOf<typeof documentLinksTable>[]
  readonly files: { readonly versionId: string; readonly bytes: Buffer }[]
  /** The id of a document by its owner's id and its type's key. */
  readonly idOf: ReadonlyMap<string, string>
}

type Status = 'pending_upload' | 'uploaded' | 'in_review' | 'approved' | 'rejected' | 'expired' | 'archived'
type Scene = readonly (readonly [typeKey: string, status: Status])[]

/** What is there of one owner after another, so that every status and every state of a requirement occurs. */
const scenes: readonly Scene[] = [
  [
    ['identity_document', 'approved'],
    ['transcript', 'approved'],
    ['photo', 'approved'],
  ],
  [
    ['identity_document', 'uploaded'],
    ['photo', 'approved'],
  ],
  [
    ['identity_document', 'in_review'],
    ['transcript', 'approved'],
  ],
  [
    ['identity_document', 'rejected'],
    ['photo', 'approved'],
  ],
  [
    ['identity_document', 'expired'],
    ['transcript', 'uploaded'],
  ],
  [
    ['transcript', 'pending_upload'],
    ['medical_record', 'in_review'],
  ],
  [
    ['diploma', 'archived'],
    ['birth_certificate', 'approved'],
  ],
  [],
]

const reviewers = ['Elena Rossi', 'Daniel Whitaker'] as const
const reasons = ['The picture is too dark to read.', 'The second page is missing.'] as const

/** The documents of an applicant, of whom they are asked, in the order in which families hand them in. */
const askedOfApplicants = ['identity_document', 'photo', 'transcript'] as const

/**
 * What is there of an applicant who has come a part of the way, 0 to 1: the further, the more of what is asked for is
 * approved. Most have handed in the next document, which waits for its review or was rejected.
 */
function sceneOnTheWay(random: Random, progress: number): Scene {
  const spread = progress >= 1 ? 0 : random.fraction() * 1.2 - 0.6
  const approved = Math.min(
    Math.max(Math.round(progress * askedOfApplicants.length + spread), 0),
    askedOfApplicants.length,
  )
  const next = askedOfApplicants[approved]
  const accepted = askedOfApplicants.slice(0, approved).map((key) => [key, 'approved'] as const)
  if (next === undefined || !random.chance(0.6)) return accepted
  return [...accepted, [next, random.pick(['uploaded', 'uploaded', 'in_review', 'rejected'] as const)]]
}

/** Makes the documents of the first owners, one scene after another. */
export function makeScenes(
  plan: Plan,
  owners: readonly DocumentOwner[],
  types: DemoDocumentTypes,
  firstIndex: number,
): Promise<DocumentRows> {
  return makeDocuments(plan, owners, types, firstIndex, (position) => scenes[position % scenes.length] as Scene)
}

/** Makes the documents of applicants who are on their way, as far as they have come. */
export function makeDocumentsOnTheWay(
  plan: Plan,
  applicants: readonly (DocumentOwner & { readonly progress: number })[],
  types: DemoDocumentTypes,
  firstIndex: number,
): Promise<DocumentRows> {
  return makeDocuments(plan, applicants, types, firstIndex, (position) =>
    sceneOnTheWay(plan.random.of('applicant documents', position), applicants[position]?.progress ?? 0),
  )
}

/** Makes documents of owners, with real small files. */
async function makeDocuments(
  plan: Plan,
  owners: readonly DocumentOwner[],
  types: DemoDocumentTypes,
  firstIndex: number,
  sceneOf: (position: number) => Scene,
): Promise<DocumentRows> {
  const rows = {
    documents: [],
    versions: [],
    links: [],
    files: [],
    idOf: new Map<string, string>(),
  } as DocumentRows & {
    idOf: Map<string, string>
  }
  let index = firstIndex
  for (const [position, owner] of owners.entries()) {
    for (const [typeKey, status] of sceneOf(position)) {
      const type = types.get(typeKey)
      if (type === undefined) continue
      await addDocument(plan, rows, owner, { index, typeKey, type, status })
      index += 1
    }
  }
  return rows
}

async function addDocument(
  plan: Plan,
  rows: DocumentRows & { idOf: Map<string, string> },
  owner: DocumentOwner,
  { index, typeKey, type, status }: { index: number; typeKey: string; type: DemoDocumentType; status: Status },
): Promise<void> {
  const random = plan.random.of('document', index)
  const span = Math.max(plan.end - owner.since - 2 * day, hour)
  const createdAt = owner.since + random.below(Math.min(span, 40 * day))
  const id = plan.ids.of('document', index, createdAt)
  const isReviewed = ['approved', 'rejected', 'expired'].includes(status)
  const reviewedAt = isReviewed ? stamp(Math.min(createdAt + hour + random.below(20 * hour), plan.end)) : null
  const title = type.name
  rows.documents.push({
    id,
    external_id: random.chance(0.3) ? `DOC-${40_000 + index}` : null,
    document_type_id: type.id,
    title,
    description: '',
    status,
    issued_at: null,
    expires_at: status === 'expired' ? stamp(plan.end - 5 * day) : null,
    reviewed_at: reviewedAt,
    reviewed_by: isReviewed ? random.pick(reviewers) : null,
    rejection_reason: status === 'rejected' ? random.pick(reasons) : null,
    source: random.pick(['staff', 'public_request', 'import']),
    metadata: {},
    created_at: stamp(createdAt),
    updated_at: reviewedAt ?? stamp(createdAt),
  })
  rows.idOf.set(`${owner.id} ${typeKey}`, id)
  rows.links.push({
    id: plan.ids.of('document link', index, createdAt),
    document_id: id,
    student_id: owner.kind === 'student' ? owner.id : null,
    application_id: owner.kind === 'application' ? owner.id : null,
    created_at: stamp(createdAt),
  })
  const versionId = plan.ids.of('document version', index, createdAt)
  const isPicture = typeKey === 'photo'
  const bytes = isPicture
    ? pngPortrait((index * 47) % 360)
    : await pdfPage(title, [owner.name, `Number ${random.filled('@@-######')}`, 'Made up for the demo.'], createdAt)
  const isPending = status === 'pending_upload'
  rows.versions.push({
    id: versionId,
    document_id: id,
    version_number: 1,
    status: isPending ? 'pending' : 'ready',
    file_name: `${typeKey.replaceAll('_', '-')}.${isPicture ? 'png' : 'pdf'}`,
    mime_type: isPicture ? 'image/png' : 'application/pdf',
    size_bytes: bytes.length,
    checksum_sha256: createHash('sha256').update(bytes).digest('hex'),
    uploaded_at: isPending ? null : stamp(createdAt),
    failure_reason: null,
    created_at: stamp(createdAt),
  })
  if (!isPending) rows.files.push({ versionId, bytes })
}

/** Puts the files where finished uploads are kept. Files that are there already stay. */
export async function storeFiles(store: FileStore, tenantId: string, files: DocumentRows['files']): Promise<void> {
  for (const { versionId, bytes } of files) {
    const key = fileKey(tenantId, versionId)
    if ((await store.stat('frozen', key)) !== null) continue
    await store.write(key, getPieces(bytes), { maxBytes: bytes.length, sizeBytes: bytes.length })
    await store.freeze(key)
  }
}

async function* getPieces(bytes: Buffer): AsyncGenerator<Uint8Array> {
  yield bytes
}
