import type { Requirements } from '../../calls/application-api.ts'

/** What keeps an application from a status that asks for all papers, by name; empty where nothing does. */
export function getLacking({ requirements }: Requirements): string {
  return requirements
    .filter(({ isRequired, status }) => isRequired && status !== 'satisfied' && status !== 'waived')
    .map(({ label }) => label)
    .join(', ')
}
