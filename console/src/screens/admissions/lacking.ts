import type { Requirements } from '../../calls/admissions/application-api.ts'

type Requirement = Requirements['requirements'][number]

/** A document that is asked for, by one or by several profiles. */
interface AskedDocument extends Pick<Requirement, 'documentTypeId' | 'label' | 'rejectionReason'> {
  readonly isRequired: boolean
  /** How it stands: for whoever asks that is least content with it. */
  readonly status: string
  /** The names of the profiles that ask for it. */
  readonly askedBy: readonly string[]
}

const met = ['satisfied', 'waived']

/** What is asked for, each type of document once, whoever asks for it. */
export function askedDocuments({ profiles, requirements }: Requirements): AskedDocument[] {
  const names = new Map(profiles.map(({ id, name }) => [id, name]))
  const byType = new Map<string, Requirement[]>()
  for (const each of requirements) {
    byType.set(each.documentTypeId, [...(byType.get(each.documentTypeId) ?? []), each])
  }
  return [...byType.values()].flatMap((asked) => {
    const first = asked.find(({ status }) => !met.includes(status)) ?? asked[0]
    if (first === undefined) return []
    const { documentTypeId, label, status, rejectionReason } = first
    const askedBy = [...new Set(asked.flatMap(({ profileId }) => names.get(profileId) ?? []))]
    const isRequired = asked.some((each) => each.isRequired)
    return [{ documentTypeId, label, status, rejectionReason, isRequired, askedBy }]
  })
}

/** What keeps an application from a status that asks for all papers, by name; empty where nothing does. */
export function getLacking({ requirements }: Requirements): string {
  const missing = requirements.filter(({ isRequired, status }) => isRequired && !met.includes(status))
  const byType = new Map(missing.map(({ documentTypeId, label }) => [documentTypeId, label]))
  return [...byType.values()].join(', ')
}
