/** The tables of which every tenant has something from its beginning on. */
export const seededTables = ['roles', 'pipeline_statuses', 'document_types', 'companies', 'assessment_groups'] as const

export type SeededTable = (typeof seededTables)[number]
