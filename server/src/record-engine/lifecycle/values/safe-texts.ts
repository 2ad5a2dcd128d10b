import type { Field, RecordType } from '@matricula/contract/record-types'
import { runInSlices } from '../../../concurrency/index.ts'
import type { AnyDocument } from '../../model/record-document.ts'
import { RecordError } from '../../model/record-error.ts'
import { getFields, getTableFields } from '../../model/record-tables.ts'
import { hasElements, safeMarkupSteps } from './safe-markup.ts'

/** A megabyte of the worst markup takes some tenths of a second, in slices. */
const maxMarkup = 1_000_000

/** A text of a record, or of one of its rows. */
interface Text {
  readonly holder: AnyDocument
  readonly field: string
  readonly text: string
}

/**
 * Sanitizes the HTML in the new texts of a record and its rows. Stored texts stay as they are: the Client API may store
 * texts there that are not HTML. Returns whether a text was changed.
 *
 * @throws RecordError `CharacterLengthExceededError` when the texts with elements are longer than 1 000 000 characters
 * together.
 */
export async function makeTextsSafe(
  type: RecordType,
  document: AnyDocument,
  before: AnyDocument | null,
): Promise<boolean> {
  const texts = [...newTexts(type, document, before)].filter(({ text }) => hasElements(text))
  if (texts.reduce((sum, { text }) => sum + text.length, 0) > maxMarkup) {
    throw new RecordError(
      'CharacterLengthExceededError',
      `The texts with HTML in a ${type.name} have at most ${maxMarkup} characters together. Shorten them, or save some of them first.`,
      { title: 'Value too big' },
    )
  }
  let isChanged = false
  for (const { holder, field, text } of texts) {
    holder[field] = await runInSlices(safeMarkupSteps(text))
    isChanged ||= holder[field] !== text
  }
  return isChanged
}

function* newTexts(type: RecordType, document: AnyDocument, before: AnyDocument | null): Generator<Text> {
  yield* getNewTexts(type, document, before)
  for (const { field, rows } of getTableFields(type)) {
    const stored = new Map(((before?.[field] as AnyDocument[]) ?? []).map((row) => [row.name, row]))
    for (const row of document[field] as AnyDocument[]) yield* getNewTexts(rows, row, stored.get(row.name) ?? null)
  }
}

function* getNewTexts(type: RecordType, holder: AnyDocument, before: AnyDocument | null): Generator<Text> {
  for (const [field, declared] of getFields(type)) {
    const text = holder[field]
    if (typeof text === 'string' && text !== before?.[field] && mayHaveMarkup(declared)) yield { holder, field, text }
  }
}

/** Secrets, file addresses and e-mail addresses are stored as they were sent; no page shows them as HTML. */
function mayHaveMarkup(field: Field): boolean {
  if (field.type === 'Data') return field.format !== 'Email'
  return field.type !== 'Password' && field.type !== 'Attach' && field.type !== 'Attach Image'
}
