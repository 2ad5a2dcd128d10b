import { paymentTermsTemplate, transferCredit } from '@matricula/contract/record-types'
import type { Plan } from '../plan.ts'
import { calendarDate, day, hour } from '../records/calendar.ts'
import type { Enrolled } from './enrollments.ts'
import type { RecordLoader } from './record-loader.ts'

/** What students bring along from elsewhere: where, what, credits and grade. */
const creditsElsewhere = [
  ['Colegio San Ignacio', 'Matemáticas I', 4, 'B'],
  ['Lake Huron Secondary School', 'Introduction to Biology', 3, 'A'],
  ['Instituto Bolívar', 'Historia Universal', 2, 'A'],
  ['Escola Horizonte', 'Língua Portuguesa', 3, 'C'],
] as const

/** Every so manieth of the shown students came with a credit. */
const one = 12

/** Loads what the registrar keeps of studies elsewhere. */
export async function loadTransferCredits(plan: Plan, shown: readonly Enrolled[], loader: RecordLoader): Promise<void> {
  const transferred = shown.filter((_, position) => position % one === 5)
  await loader.add(
    transferCredit,
    transferred.map(({ code, name, enrolledAt }, position) => {
      const [institution, course_title, credits, grade] = creditsElsewhere[
        position % creditsElsewhere.length
      ] as (typeof creditsElsewhere)[number]
      return {
        moment: Math.min(enrolledAt + (position % 9) * day + 3 * hour, plan.end - hour),
        fields: {
          student: code,
          student_name: name,
          institution,
          course_title,
          completed_on: calendarDate(enrolledAt - 60 * day),
          credits,
          grade,
        },
      }
    }),
  )
}

const instalments = { 'Three Instalments': [34, 33, 33], 'Ten Instalments': Array.from({ length: 10 }, () => 10) }

/** Loads how families pay in instalments, a month apart. */
export async function loadPaymentTerms(moment: number, loader: RecordLoader): Promise<void> {
  await loader.add(
    paymentTermsTemplate,
    Object.entries(instalments).map(([template_name, portions]) => ({
      moment,
      fields: {
        template_name,
        terms: portions.map((invoice_portion, index) => ({
          description: `Instalment ${index + 1}`,
          invoice_portion,
          credit_days: 30 * (index + 1),
        })),
      },
    })),
  )
}
