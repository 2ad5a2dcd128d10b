import type { Body, documentRequestOperations, Fault } from '@matricula/contract'
import { sql, type Transaction } from '../../database/index.ts'
import { Problem, referenceProblem } from '../../errors/index.ts'
import type { Texts, Translations } from '../../tenancy/index.ts'
import { isUuid, newId } from '../../values/index.ts'
import {
  type Owner,
  requireApplies,
  requireDocumentType,
  type UnansweredRequirement,
  unansweredRequirements,
} from '../requirements/index.ts'

type CreateBody = Body<(typeof documentRequestOperations)['createDocumentRequest']>
type ItemBody = NonNullable<CreateBody['items']>[number]

/** A document that is going to be asked for. */
export interface NewItem {
  readonly documentTypeId: string
  readonly requirementId: string | null
  readonly label: string
  readonly instructions: string
  /** What it says in other languages. */
  readonly translations: Translations
  readonly isRequired: boolean
}

/** The faults of a body that does not say in exactly one way what is asked for. */
export function itemErrors({ items, documentTypeIds, fromRequirements }: CreateBody): Fault[] {
  const ways = [items !== undefined, documentTypeIds !== undefined, fromRequirements === true].filter(Boolean).length
  if (ways === 0) return [fault('items', 'required', 'is required, or documentTypeIds, or fromRequirements: true')]
  if (ways > 1) return [fault('items', 'inconsistent', 'is one of items, documentTypeIds and fromRequirements: true')]
  return (items ?? []).flatMap(({ documentTypeId, requirementId }, index) => {
    const pointer = `items/${index}/documentTypeId`
    if (documentTypeId === undefined && requirementId === undefined) {
      return [fault(pointer, 'required', 'is required, or requirementId')]
    }
    if (documentTypeId === undefined || requirementId === undefined) return []
    return [fault(pointer, 'inconsistent', 'follows from requirementId: send one of them')]
  })
}

function fault(pointer: string, code: Fault['code'], detail: string): Fault {
  return { in: 'body', pointer: `#/${pointer}`, code, detail }
}

/**
 * What a body asks for, in order. Throws `reference_not_found` for types and requirements that the tenant does not have,
 * and `rule_violated` for a type that such records do not have, and when no requirement is unanswered.
 */
export async function loadItems(tx: Transaction, owner: Owner, body: CreateBody): Promise<NewItem[]> {
  if (body.fromRequirements === true) {
    const missing = (await missingItems(tx, owner.entityType, [owner.entityId])).get(owner.entityId)
    if (missing !== undefined) return [...missing]
    const detail = 'Every requirement of this record is satisfied, waived, or waits for a review. Nothing is missing.'
    throw new Problem('rule_violated', detail, { rule: 'requirements_are_missing' })
  }
  const asked: ItemBody[] = body.items ?? (body.documentTypeIds ?? []).map((documentTypeId) => ({ documentTypeId }))
  const items: NewItem[] = []
  for (const [index, item] of asked.entries()) {
    const field = body.items === undefined ? `documentTypeIds/${index}` : `items/${index}`
    items.push(await loadItem(tx, owner, item, field, body.items === undefined ? field : `${field}/documentTypeId`))
  }
  return items
}

async function loadItem(
  tx: Transaction,
  owner: Owner,
  item: ItemBody,
  field: string,
  typeField: string,
): Promise<NewItem> {
  const requirement =
    item.requirementId === undefined
      ? null
      : await requireRequirement(tx, owner, item.requirementId, `${field}/requirementId`)
  const type = await requireDocumentType(tx, requirement?.documentTypeId ?? item.documentTypeId ?? '', typeField)
  requireApplies(type, owner.entityType)
  return {
    documentTypeId: type.id,
    requirementId: requirement?.id ?? null,
    label: item.label ?? requirement?.label ?? type.name,
    instructions: item.instructions ?? requirement?.instructions ?? '',
    translations: {
      ...(item.label === undefined && {
        label: (requirement === null ? type.translations.name : requirement.translations.label) ?? {},
      }),
      ...(item.instructions === undefined && { instructions: requirement?.translations.instructions ?? {} }),
    },
    isRequired: item.isRequired ?? true,
  }
}

interface RequirementFacts {
  readonly id: string
  readonly documentTypeId: string
  readonly label: string
  readonly instructions: string
  readonly translations: Translations
}

/** A requirement of an active profile for such records. */
async function requireRequirement(
  tx: Transaction,
  { entityType }: Owner,
  id: string,
  field: string,
): Promise<RequirementFacts> {
  const [requirement] = isUuid(id)
    ? await tx.query<RequirementFacts>(sql`
        select q.id, q.document_type_id as "documentTypeId", q.label, q.instructions, q.translations
          from requirements q
          join requirement_profiles p on p.tenant_id = ${tx.tenantId} and p.id = q.profile_id
         where q.tenant_id = ${tx.tenantId} and q.id = ${id} and p.is_active and p.applies_to = ${entityType}`)
    : []
  if (requirement === undefined) throw referenceProblem(field, `requirement for a record of the kind ${entityType}`)
  return requirement
}

/** What is asked for where all that is missing is, by the ids of records; those of which nothing is missing are left out. */
export async function missingItems(
  tx: Transaction,
  entityType: Owner['entityType'],
  ids: readonly string[],
): Promise<ReadonlyMap<string, readonly NewItem[]>> {
  const unanswered = await unansweredRequirements(tx, entityType, ids)
  for (const id of new Set([...unanswered.values()].flat().map(({ documentTypeId }) => documentTypeId))) {
    await requireDocumentType(tx, id, 'fromRequirements')
  }
  return new Map([...unanswered].map(([id, missing]) => [id, itemsOfMissing(missing)]))
}

/** One item for each file that is missing; two profiles that ask for the same type are answered by the same files. */
function itemsOfMissing(unanswered: readonly UnansweredRequirement[]): NewItem[] {
  const byType = new Map<string, NewItem[]>()
  for (const {
    requirementId,
    documentTypeId,
    instructions,
    translations,
    isRequired,
    missingFiles,
    ...one
  } of unanswered) {
    const items = Array.from({ length: missingFiles }, (_, index) => {
      const numbered = (label: string) => (missingFiles === 1 ? label : `${label} (${index + 1}/${missingFiles})`)
      return {
        documentTypeId,
        requirementId,
        label: numbered(one.label),
        instructions,
        translations: { ...translations, label: eachOf(translations.label ?? {}, numbered) },
        isRequired,
      }
    })
    const known = byType.get(documentTypeId) ?? []
    const [longer, shorter] = known.length >= items.length ? [known, items] : [items, known]
    const isAnyRequired = (index: number) => longer[index]?.isRequired || shorter[index]?.isRequired || false
    byType.set(
      documentTypeId,
      longer.map((item, index) => ({ ...item, isRequired: isAnyRequired(index) })),
    )
  }
  return [...byType.values()].flat()
}

function eachOf(texts: Texts, change: (text: string) => string): Texts {
  return Object.fromEntries(Object.entries(texts).map(([locale, text]) => [locale, change(text)]))
}

/** Adds the items of a request that is made in the same transaction. */
export function insertItems(tx: Transaction, requestId: string, items: readonly NewItem[]): void {
  const rows = JSON.stringify(
    items.map((item, index) => ({
      id: newId(),
      document_type_id: item.documentTypeId,
      requirement_id: item.requirementId,
      label: item.label,
      instructions: item.instructions,
      translations: item.translations,
      is_required: item.isRequired,
      position: index + 1,
    })),
  )
  tx.send(sql`
    insert into document_request_items (tenant_id, id, request_id, document_type_id, requirement_id, label, instructions,
                                        translations, is_required, position)
    select ${tx.tenantId}, id, ${requestId}, document_type_id, requirement_id, label, instructions, translations,
           is_required, position
      from jsonb_to_recordset(${rows}::jsonb) as item (
        id uuid, document_type_id uuid, requirement_id uuid, label text, instructions text, translations jsonb,
        is_required boolean, position integer)`)
}
