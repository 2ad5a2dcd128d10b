import { Type } from 'typebox'
import { oneOf, optional, record, type Static, text } from '../schema.ts'

/** How the columns of a file are read that do not have the names of fields. */
export const importMapping = record('ImportMapping', 'How the columns of a file are read.', {
  columns: optional(
    Type.Unsafe<Record<string, string>>({
      type: 'object',
      additionalProperties: { type: 'string', minLength: 1, maxLength: 160 },
      description: 'The field of each heading that is not called as its field or by its title.',
    }),
  ),
  dates: optional(
    oneOf(['iso', 'dmy', 'mdy'], 'The order of dates that are not written YYYY-MM-DD; without it they are refused.'),
  ),
  decimal: optional(oneOf(['point', 'comma'], 'What stands before decimals.')),
  ignore: optional(
    Type.Unsafe<string[]>({
      type: 'array',
      items: text('A heading.', 255, 1),
      description: 'Headings that are passed over.',
    }),
  ),
  overwrite: optional(
    Type.Unsafe<string[]>({
      type: 'array',
      items: text('A field.', 160, 1),
      description: 'Fields in which the file leads, also where a person has corrected the record.',
    }),
  ),
})

export type ImportMapping = Static<typeof importMapping>
