import { comment, student, tagLink } from '@matricula/contract/record-types'
import type { Plan } from '../plan.ts'
import { hour } from '../records/calendar.ts'
import type { Enrolled } from './enrollments.ts'
import type { RecordLoader } from './record-loader.ts'
import type { DemoEmployee } from './staff.ts'

const remarks = [
  'Called the family; they come on Thursday to talk about the support in mathematics.',
  'Asked for a copy of the certificate of the school before.',
  'Takes part in the exchange with the partner school in spring.',
  'The grandmother fetches on Wednesdays; she is on the list of the gate.',
] as const

const tags = ['Scholarship', 'School bus', 'Exchange', 'Choir'] as const

/** Loads what the staff remark about the shown students, and the words under which they keep some of them. */
export async function loadNotes(
  plan: Plan,
  shown: readonly Enrolled[],
  staff: readonly DemoEmployee[],
  loader: RecordLoader,
): Promise<void> {
  const active = shown.filter(({ student: { status } }) => status === 'active')
  const getMoment = (position: number) => plan.end - ((position % 20) + 1) * 20 * hour
  await loader.add(
    comment,
    active
      .filter((_, position) => position % 6 === 1)
      .map(({ code }, position) => {
        const author = staff[position % staff.length]?.user ?? 'Administrator'
        return {
          moment: getMoment(position),
          fields: {
            comment_type: 'Comment',
            comment_email: author,
            comment_by: author,
            reference_doctype: student.name,
            reference_name: code,
            content: `<p>${remarks[position % remarks.length]}</p>`,
          },
        }
      }),
  )
  await loader.add(
    tagLink,
    active
      .filter((_, position) => position % 4 === 2)
      .map(({ code }, position) => ({
        moment: getMoment(position),
        fields: {
          document_type: student.name,
          document_name: code,
          tag: tags[position % tags.length] as string,
        },
      })),
  )
}
