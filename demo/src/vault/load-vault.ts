import type { FileStore } from '@matricula/server/storage/index'
import type { Load } from '../copy.ts'
import type { Plan } from '../plan.ts'
import { day, stamp } from '../records/calendar.ts'
import {
  type DemoDocumentTypes,
  type DocumentOwner,
  type DocumentRows,
  makeDocumentsOnTheWay,
  makeScenes,
  storeFiles,
} from './demo-documents.ts'
import { makeForms } from './demo-forms.ts'
import { makeRequests } from './demo-requests.ts'
import * as tables from './vault-tables.ts'

/** How many records of the vault and of forms were made. */
export interface VaultCounts {
  readonly documents: number
  readonly requests: number
  readonly templates: number
  readonly submissions: number
}

/** The first students and the first applications, whose documents the demo shows. */
export interface VaultOwners {
  readonly students: readonly DocumentOwner[]
  readonly applications: readonly DocumentOwner[]
  /** Further applicants who are on their way, with the part of it that they have come. */
  readonly applicants: readonly (DocumentOwner & { readonly progress: number })[]
}

/** Of how many students, and of how many applications, the demo has documents, however many there are. */
export const ownersWithDocuments = 24

/** What is asked of whom: document type, whether it is required, days. */
const required = [
  ['identity_document', true, 30],
  ['transcript', true, 60],
  ['photo', true, null],
  ['medical_record', false, null],
] as const

/** Makes and loads requirement profiles, documents with their files, requests, templates and submissions. */
export async function loadVault(
  plan: Plan,
  tenantId: string,
  { students, applications, applicants }: VaultOwners,
  types: DemoDocumentTypes,
  load: Load,
  store: FileStore,
): Promise<VaultCounts> {
  await loadProfiles(plan, types, load)
  let documents = 0
  let requests = 0
  const loadDocuments = async (made: DocumentRows) => {
    await storeFiles(store, tenantId, made.files)
    documents += await load(tables.documentsTable, made.documents)
    await load(tables.versionsTable, made.versions)
    await load(tables.documentLinksTable, made.links)
  }
  await loadDocuments(await makeDocumentsOnTheWay(plan, applicants, types, 2000))
  for (const [kind, owners] of [students, applications].entries()) {
    const made = await makeScenes(plan, owners, types, kind * 1000)
    await loadDocuments(made)
    const asked = makeRequests(plan, owners, types, made)
    requests += await load(tables.requestsTable, asked.requests)
    await load(tables.requestItemsTable, asked.items)
  }
  const forms = makeForms(plan, students, applications)
  const templates = await load(tables.templatesTable, forms.templates)
  await load(tables.templateVersionsTable, forms.versions)
  const submissions = await load(tables.submissionsTable, forms.submissions)
  await load(tables.submissionCountsTable, forms.counts)
  return { documents, requests, templates, submissions }
}

async function loadProfiles(plan: Plan, types: DemoDocumentTypes, load: Load): Promise<void> {
  const createdAt = plan.start + day
  const kinds = ['student', 'application'] as const
  const getId = (kind: number) => plan.ids.of('requirement profile', kind, createdAt)
  await load(
    tables.profilesTable,
    kinds.map((appliesTo, kind) => ({
      id: getId(kind),
      key: `${appliesTo}_file`,
      name: appliesTo === 'student' ? 'Student file' : 'Application file',
      description: '',
      applies_to: appliesTo,
      is_active: true,
      created_at: stamp(createdAt),
      updated_at: stamp(createdAt),
    })),
  )
  await load(
    tables.requirementsTable,
    kinds.flatMap((_, kind) =>
      required.flatMap(([key, isRequired, dueDays], position) => {
        const type = types.get(key)
        return type === undefined
          ? []
          : [
              {
                id: plan.ids.of('requirement', kind * 16 + position, createdAt),
                profile_id: getId(kind),
                document_type_id: type.id,
                label: type.name,
                translations: { label: type.names },
                instructions: '',
                is_required: isRequired,
                min_files: 1,
                due_days: dueDays,
                position: position + 1,
              },
            ]
      }),
    ),
  )
}
