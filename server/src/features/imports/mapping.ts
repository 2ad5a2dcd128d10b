import { type ImportMapping, importMapping } from '@matricula/contract'
import { validationProblem } from '../../errors/index.ts'
import { getErrors } from '../../http/index.ts'

export type Mapping = ImportMapping

/** What a map says: nothing where there is none. Throws `validation_failed`. */
export function readMapping(value: unknown): Mapping {
  if (value === undefined || value === null) return {}
  const errors = getErrors(importMapping, value)
  if (errors.length > 0) throw validationProblem(errors)
  return value as Mapping
}
