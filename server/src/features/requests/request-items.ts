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

/** An item of a new request. */
export interface NewItem {
  readonly documentTypeId: string
  readonly requirementId: string | null
  readonly label: string
  readonly instructions: string
  /** Its label and instructions in other languages. */
  readonly translations: Translations
  readonly isRequired: boolean
}

/** The errors of a body that does not name its items in exactly one way. */
export function itemErrors({ items, documentTypeIds, fromRequirements }: CreateBody): Fault[] {
  const variants = [items !== undefined, documentTypeIds !== undefined, fromRequirements === true].filter(
    Boolean,
  ).length
  if (variants === 0)
    return [itemError('items', 'required', 'is required, or documentTypeIds, or fromRequirements: true')]
  if (variants > 1)
    return [itemError('items', 'inconsistent', 'is one of items, documentTypeIds and fromRequirements: true')]
  return (items ?? []).flatMap(({ documentTypeId, requirementId }, index) => {
    const pointer = `items/${index}/documentTypeId`
    if (documentTypeId === undefined && requirementId === undefined) {
      return [itemError(pointer, 'required', 'is required, or requirementId')]
    }
    if (documentTypeId === undefined || requirementId === undefined) return []
    return [itemError(pointer, 'inconsistent', 'follows from requirementId: send one of them')]
  })
}

function itemError(pointer: string, code: Fault['code'], detail: string): Fault {
  return { in: 'body', pointer: `#/${pointer}`, code, detail }
}

/**
 * The items of a body, in order.
 *
 * @throws Problem `reference_not_found` for unknown types and requirements; `rule_violated` for a type that does not
 * apply to the record, and when no requirement is unanswered.
 */
export async function loadItems(tx: Transaction, owner: Owner, body: CreateBody): Promise<NewItem[]> {
  if (body.fromRequirements === true) {
    const missing = (await findMissingItems(tx, owner.entityType, [owner.entityId])).get(owner.entityId)
    if (missing !== undefined) return [...missing]
    const detail = 'Every requirement of this record is satisfied, waived, or waits for a review. Nothing is missing.'
    throw new Problem('rule_violated', detail, { rule: 'requirements_are_missing' })
  }
  const itemBodies: ItemBody[] =
    body.items ?? (body.documentTypeIds ?? []).map((documentTypeId) => ({ documentTypeId }))
  const items: NewItem[] = []
  for (const [index, item] of itemBodies.entries()) {
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

/** A requirement of an active profile for the owner's kind of record. Throws `reference_not_found`. */
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

/** The items of everything missing, by record id; complete records are left out. */
export async function findMissingItems(
  tx: Transaction,
  entityType: Owner['entityType'],
  ids: readonly string[],
): Promise<ReadonlyMap<string, readonly NewItem[]>> {
  const unanswered = await unansweredRequirements(tx, entityType, ids)
  for (const id of new Set([...unanswered.values()].flat().map(({ documentTypeId }) => documentTypeId))) {
    await requireDocumentType(tx, id, 'fromRequirements')
  }
  return new Map([...unanswered].map(([id, missing]) => [id, toItems(missing)]))
}

/** One item per missing file; the same files satisfy two profiles that require the same type. */
function toItems(unanswered: readonly UnansweredRequirement[]): NewItem[] {
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
        translations: { ...translations, label: mapTexts(translations.label ?? {}, numbered) },
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

function mapTexts(texts: Texts, change: (text: string) => string): Texts {
  return Object.fromEntries(Object.entries(texts).map(([locale, text]) => [locale, change(text)]))
}

/** Inserts the items of a request created in the same transaction. */
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
