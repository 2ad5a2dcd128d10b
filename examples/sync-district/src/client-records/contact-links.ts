import { type Client, Problem } from '@matricula/client'
import { difference, type Fields, withoutNulls } from '../run/difference.ts'
import { getKey } from '../run/occasions.ts'
import type { Report } from '../run/report.ts'
import type { Application, ContactLink } from '../run/tenant-records.ts'

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
  const { id } = application
  let current = application
  // Removed first, because another row may name the same person in the same role under a new id.
  for (const surplus of surplusLinks(current, wanted)) {
    current = await unlink(client, id, surplus.id)
    report.count('contacts', 'unlinked')
  }
  // The primary one next, because it takes that place from another.
  for (const want of [...wanted].sort((one, other) => Number(other.fields.isPrimary) - Number(one.fields.isPrimary))) {
    const link = findLink(current, want)
    const change = link === undefined ? null : difference(want.fields, link)
    if (link === undefined) {
      const idempotencyKey = getKey(id, linkBody(want), current.updatedAt)
      current = await client.applications.linkContact(id, linkBody(want), { idempotencyKey })
      report.count('contacts', 'linked')
    } else if (change === null) {
      report.count('contacts', 'unchanged')
    } else {
      current = await client.applications.updateContact(id, link.id, change, { isRepeatable: true })
      report.count('contacts', 'updated')
    }
  }
  return current
}

/** A link that is gone already, because the answer to an earlier try was lost, is gone as it should be. */
async function unlink({ applications }: Client, id: string, linkId: string): Promise<Application> {
  try {
    return await applications.unlinkContact(id, linkId, { isRepeatable: true })
  } catch (error) {
    if (!(error instanceof Problem) || error.status !== 404) throw error
    return applications.get(id)
  }
}

function findLink(application: Application, want: WantedLink): ContactLink | undefined {
  return application.contacts.find((link) => link.metadata.contactId === want.contactId)
}

function surplusLinks(application: Application, wanted: readonly WantedLink[]): ContactLink[] {
  const stored = new Set(wanted.map((want) => findLink(application, want)))
  return application.contacts.filter((link) => typeof link.metadata.contactId === 'string' && !stored.has(link))
}
