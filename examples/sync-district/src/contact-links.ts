import type { Client } from './client.ts'
import { difference, type Fields, withoutNulls } from './difference.ts'
import type { Application, ContactLink } from './records.ts'
import { Refusal } from './refusal.ts'
import type { Report } from './report.ts'

/** A parent as the files want it linked. */
export interface WantedLink {
  /** The id of the person in the files. */
  readonly contactId: string
  readonly fields: Fields
  /** By what the service finds the person, or makes it. */
  readonly identity: Fields
}

/** Whether an application has exactly the links that the files want, beside those that others made. */
export function areLinksInStep(application: Application, wanted: readonly WantedLink[]): boolean {
  return (
    surplusLinks(application, wanted).length === 0 &&
    wanted.every((want) => {
      const link = findLink(application, want)
      return link !== undefined && difference(want.fields, link) === null
    })
  )
}

/** The body that links a parent. */
export function linkBody({ identity, fields }: WantedLink): Fields {
  return withoutNulls({ ...identity, ...fields })
}

/**
 * Gives an application the links that the files want. Every change starts from the application that the one before
 * answered, so what is in step already is not sent. Links without an id of the files are somebody else's and stay.
 */
export async function syncLinks(
  client: Client,
  report: Report,
  application: Application,
  wanted: readonly WantedLink[],
): Promise<Application> {
  const path = `/admissions/applications/${application.id}/contacts`
  let current = application
  // Removed first, because another row may name the same person in the same role under a new id.
  for (const surplus of surplusLinks(current, wanted)) {
    current = await unlink(client, current, `${path}/${surplus.id}`)
    report.count('contacts', 'unlinked')
  }
  // The primary one next, because it takes that place from another.
  for (const want of [...wanted].sort((one, other) => Number(other.fields.isPrimary) - Number(one.fields.isPrimary))) {
    const link = findLink(current, want)
    const change = link === undefined ? null : difference(want.fields, link)
    if (link === undefined) {
      current = (await client.post<Application>(path, linkBody(want), current.updatedAt)).data
      report.count('contacts', 'linked')
    } else if (change === null) {
      report.count('contacts', 'unchanged')
    } else {
      current = (await client.patch<Application>(`${path}/${link.id}`, change)).data
      report.count('contacts', 'updated')
    }
  }
  return current
}

/** A link that is gone already, because the answer to an earlier try was lost, is gone as it should be. */
async function unlink(client: Client, application: Application, path: string): Promise<Application> {
  try {
    return (await client.delete<Application>(path)).data
  } catch (error) {
    if (!(error instanceof Refusal) || error.status !== 404) throw error
    return (await client.get<Application>(`/admissions/applications/${application.id}`)).data
  }
}

function findLink(application: Application, want: WantedLink): ContactLink | undefined {
  return application.contacts.find((link) => link.metadata.contactId === want.contactId)
}

function surplusLinks(application: Application, wanted: readonly WantedLink[]): ContactLink[] {
  const kept = new Set(wanted.map((want) => findLink(application, want)))
  return application.contacts.filter((link) => typeof link.metadata.contactId === 'string' && !kept.has(link))
}
