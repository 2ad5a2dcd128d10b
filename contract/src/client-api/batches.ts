import { type TObject, type TProperties, Type } from 'typebox'
import type { Scope } from '../access.ts'
import type { EventType } from '../events.ts'
import { type OperationGroup, operation } from '../operation.ts'
import { body, described, ExternalId, nullable, oneOf, optional, record, type TSchema, Uuid } from '../schema.ts'

/** How many items a batch may have. */
export const mostInBatch = 500

const outcomes = ['created', 'updated', 'unchanged', 'refused'] as const

const madeOne = {
  externalId: '604821',
  outcome: 'created',
  id: '01985b2e-5a00-7000-8000-000000000001',
  problem: null,
} as const

export const BatchOutcome = record(
  'BatchOutcome',
  'What became of one item of a batch.',
  {
    externalId: ExternalId,
    outcome: oneOf(outcomes, 'What became of the item.'),
    id: nullable(described(Uuid, 'Id of the record; null where the item was rejected.')),
    problem: nullable(
      Type.Unsafe<Record<string, unknown>>({
        type: 'object',
        description:
          'The problem document (RFC 9457) of the item’s upsert, with its first five validation errors, whose pointers are below the item, such as `#/items/3/amount`; null where it was not rejected.',
      }),
    ),
  },
  madeOne,
)

const Item = Type.Unsafe<{ externalId: string } & Record<string, unknown>>({
  type: 'object',
  description: 'The externalId, and the body of the upsert of the record with it.',
  properties: { externalId: ExternalId },
  required: ['externalId'],
  additionalProperties: true,
})

/** An item as the document describes it: the body of its upsert with the externalId. */
function documentedItem(title: string, { properties }: TObject<TProperties>): TSchema {
  return Type.Object(
    { ...properties, externalId: ExternalId },
    {
      title: title.replace(/Body$/, 'Item'),
      description: 'The externalId, and the body of the upsert of the record with it.',
      additionalProperties: false,
    },
  )
}

/** What a batch answers: the outcome of each item, in the order sent. */
const BatchOutcomes = Type.Array(BatchOutcome, { maxItems: mostInBatch, examples: [[madeOne]] })

/** The operation that upserts many records of a resource at once, below the path of its list. */
export function batchOperation<
  const Group extends OperationGroup,
  const Path extends string,
  const Write extends Scope,
  const Event extends EventType,
>(
  group: Group,
  {
    path,
    scope,
    title,
    nouns,
    example,
    item,
    events,
  }: {
    readonly path: Path
    readonly scope: Write
    /** The name of its body in the document. */
    readonly title: string
    readonly nouns: string
    readonly example: { readonly externalId: string } & Readonly<Record<string, unknown>>
    /** The body of the upsert. */
    readonly item: TObject<TProperties>
    readonly events: readonly Event[]
  },
) {
  const bodyOf = (items: TSchema) =>
    body(
      title,
      `Up to ${mostInBatch} ${nouns} with their externalIds.`,
      {
        atomic: optional(
          Type.Unsafe<boolean>({
            type: 'boolean',
            default: false,
            description: 'Whether one rejected item rejects the whole batch, so that nothing is written.',
          }),
        ),
        items: Type.Unsafe<({ externalId: string } & Record<string, unknown>)[]>({
          type: 'array',
          minItems: 1,
          maxItems: mostInBatch,
          items,
          description: `What is created or changed, each externalId once, as \`PUT ${path}/external/{externalId}\` does.`,
        }),
      },
      null,
      { atomic: false, items: [example] },
    )
  return operation(group, {
    method: 'POST',
    path: `${path}/batch` as `${Path}/batch`,
    scope,
    idempotency: 'required',
    summary: `Create or update many ${nouns} by externalId`,
    description: `Does for up to ${mostInBatch} ${nouns} what their upserts do, at once and in one transaction, and answers what became of each in the order sent. An item that is refused leaves the others as they are, unless \`atomic\` is true. Audit and events are those of the single upserts.`,
    body: bodyOf(Item),
    documentedBody: bodyOf(documentedItem(title, item)),
    shape: 'record',
    record: BatchOutcomes,
    status: 200,
    errors: ['batch_refused'],
    events,
  } as const)
}
