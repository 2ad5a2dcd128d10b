/** The tables with seeded rows in every tenant. */
export const seededTables = [
  'roles',
  'pipeline_statuses',
  'document_types',
  'companies',
  'assessment_groups',
  'attendance_codes',
] as const

export type SeededTable = (typeof seededTables)[number]
