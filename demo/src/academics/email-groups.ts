import { emailGroup, emailGroupMember } from '@matricula/contract/record-types'
import type { Plan } from '../plan.ts'
import { day } from '../records/calendar.ts'
import type { DemoGroup } from './groups.ts'
import type { RecordLoader } from './record-loader.ts'

/** Loads lists of the guardians' e-mail addresses for the first classes, as the method for it makes them. */
export async function loadEmailGroups(plan: Plan, groups: readonly DemoGroup[], loader: RecordLoader): Promise<void> {
  const moment = plan.end - 15 * day
  const lists = groups.slice(0, 3).map(({ name, members }) => {
    const relatives = members.flatMap(({ student: { family } }) => family.relatives)
    return { name, emails: new Set(relatives.flatMap(({ email }) => email?.toLowerCase() ?? [])) }
  })
  await loader.add(
    emailGroup,
    lists.map(({ name: title, emails }) => ({ moment, fields: { title, total_subscribers: emails.size } })),
  )
  await loader.add(
    emailGroupMember,
    lists.flatMap(({ name: email_group, emails }) =>
      [...emails].map((email) => ({ moment, fields: { email_group, email } })),
    ),
  )
}
