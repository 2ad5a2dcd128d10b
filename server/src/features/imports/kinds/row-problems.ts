import type { Fault } from '@matricula/contract'
import { Problem } from '../../../errors/index.ts'
import { RecordError } from '../../../record-engine/index.ts'
import type { FieldError, ImportErrorCode } from '../row-errors.ts'

const problemCodes: Readonly<Record<string, ImportErrorCode>> = {
  external_id_taken: 'duplicate',
  already_exists: 'duplicate',
  reference_not_found: 'reference_not_found',
  unknown_pipeline_status: 'not_in_enum',
}

/** The faults of a row that a rule of the interface refuses; rethrows what is none. */
export function toFieldErrors(error: unknown): FieldError[] {
  if (error instanceof RecordError) return toRecordErrors(error)
  if (!(error instanceof Problem)) throw error
  const { errors } = error.extra as { errors?: readonly Fault[] }
  const code = problemCodes[error.code]
  if (errors !== undefined && errors.length > 0) {
    return errors.map((each) => ({ field: getField(each), code: code ?? each.code, detail: each.detail }))
  }
  return [{ field: null, code: code ?? 'inconsistent', detail: error.message }]
}

function getField({ pointer, name }: Fault): string | null {
  if (pointer === undefined) return name ?? null
  const [, field = ''] = pointer.split('/')
  return field === '' ? null : field.replaceAll('~1', '/').replaceAll('~0', '~')
}

const codesOfRecordErrors: Readonly<Record<string, ImportErrorCode>> = {
  LinkValidationError: 'reference_not_found',
  DoesNotExistError: 'reference_not_found',
  MandatoryError: 'required',
  DuplicateEntryError: 'duplicate',
  UniqueValidationError: 'duplicate',
}

function toRecordErrors({ type, message, messages }: RecordError): FieldError[] {
  const code = codesOfRecordErrors[type] ?? 'inconsistent'
  const texts = messages.length > 0 ? messages : [message]
  return texts.map((detail) => ({ field: null, code, detail: detail.replace(/<[^<>]*>/g, '') }))
}
