import { feeSchedule, feeStructure, programEnrollment } from '@matricula/contract/record-types'
import { sql } from '../../database/index.ts'
import { getTotal } from '../../money/index.ts'
import {
  createRecord,
  RecordError,
  readNumber,
  requireFewItems,
  sentText,
  shownRecord,
} from '../../record-engine/index.ts'
import { type RecordMethod, recordMethod } from '../../resource-api/index.ts'
import { findChargedStudents } from './fee-schedules.ts'
import { buildSchedule, findFeeStructure, getComponents, loadCurrency } from './fee-structures.ts'
import { type Cost, computeInstalments, distribute, type Instalment, proposeShares } from './instalments.ts'

const text = { type: 'string' } as const
const requiredText = { type: 'string', required: true } as const
const prefix = 'education.education'
const structures = `${prefix}.doctype.fee_structure.fee_structure`
/** The maximum number of schedules created by one call. */
const maxSchedules = 200
const schedules = `${prefix}.doctype.fee_schedule.fee_schedule`

/** A new, unsaved schedule from a structure. */
const mapped = recordMethod({
  path: `${schedules}.get_fee_structure`,
  rights: [
    { type: feeSchedule, right: 'create' },
    { type: feeStructure, right: 'read' },
  ],
  summary: 'A fee schedule made from a fee structure, not yet saved.',
  parameters: { source_name: requiredText, target_doc: { type: 'json' } },
  run: async (work, { source_name }) => {
    const structure = await work.get(feeStructure, source_name)
    return {
      doctype: feeSchedule.name,
      docstatus: 0,
      ...buildSchedule(structure),
      components: getComponents(structure),
    }
  },
})

/** The methods of fees. */
export const feeMethods: readonly RecordMethod[] = [
  recordMethod({
    path: `${prefix}.api.get_fee_structure`,
    rights: [{ type: feeStructure, right: 'read' }],
    summary: 'The name of the fee structure of a program and a term; with as_dict the whole record.',
    parameters: { program: requiredText, academic_term: text, as_dict: { type: 'boolean' } },
    result: { type: ['string', 'object'], description: 'There is no message where no structure fits.' },
    run: async (work, { program, academic_term, as_dict }) => {
      const found = await findFeeStructure(work, program, academic_term)
      if (found === null) return null
      if (as_dict !== true) return found.name
      return shownRecord(work.caller, feeStructure, await work.get(feeStructure, found.name), { nulls: true })
    },
  }),
  recordMethod({
    path: `${prefix}.api.get_fee_components`,
    rights: [{ type: feeStructure, right: 'read' }],
    summary: 'The components of a fee structure, in order.',
    result: { type: 'array', description: 'Objects with `fees_category`, `description` and `amount`.' },
    parameters: { fee_structure: text },
    run: async (work, { fee_structure }) => {
      if (fee_structure === null || fee_structure === '') return null
      const structure = await work.find(feeStructure, fee_structure)
      return (structure?.components ?? []).map(({ fees_category, description, amount }) => ({
        fees_category,
        description,
        amount,
      }))
    },
  }),
  recordMethod({
    path: `${schedules}.get_total_students`,
    // Reads no enrolments for the caller: the number is in each schedule of the group (`total_students`) as well.
    rights: [{ type: feeSchedule, right: 'read', all: true }],
    summary: 'How many students of a group a schedule would charge on a day, today where none is named.',
    parameters: {
      student_group: requiredText,
      academic_year: requiredText,
      academic_term: text,
      student_category: text,
      program: { type: 'string', about: 'Counts the enrolments in this program alone.' },
      posting_date: { type: 'date', about: 'The posting date of the schedule.' },
    },
    run: async (work, { student_group, academic_year, academic_term, student_category, program, posting_date }) => {
      const charged = {
        program,
        academicYear: academic_year,
        academicTerm: academic_term,
        studentCategory: student_category,
        day: posting_date ?? work.today,
      }
      return (await findChargedStudents(work, student_group, charged)).length
    },
  }),
  mapped,
  { ...mapped, path: `${structures}.make_term_wise_fee_schedule` },
  recordMethod({
    path: `${structures}.get_amount_distribution_based_on_fee_plan`,
    rights: [{ type: feeStructure, right: 'read' }],
    summary: 'Shares the total of a structure over a year or over the terms of an academic year.',
    parameters: {
      components: { type: 'json', required: true },
      total_amount: { type: 'number' },
      fee_plan: text,
      academic_year: text,
    },
    run: async (work, { components, total_amount, fee_plan, academic_year }) => {
      const costs = parseRows('components', components).map(
        (row): Cost => ({
          fees_category: sentText('fees_category', row.fees_category ?? ''),
          total: readNumber('total', row.total ?? row.amount) ?? 0,
        }),
      )
      const currency = await loadCurrency(work, (await work.siteDefaults()).links.company ?? null)
      const total =
        total_amount ??
        getTotal(
          costs.map((cost) => cost.total),
          currency,
        )
      const distribution = await distribute(work, total, currency, fee_plan ?? 'Monthly', academic_year)
      const amounts = distribution.map(({ amount }) => amount)
      return { distribution, per_component_amount: proposeShares(costs, amounts, currency) }
    },
  }),
  recordMethod({
    path: `${structures}.make_fee_schedule`,
    rights: [
      { type: feeStructure, right: 'read' },
      { type: feeSchedule, right: 'create' },
    ],
    summary: `Makes one draft schedule for each part of a distribution, at most ${maxSchedules}. Answers how many.`,
    verbs: ['POST', 'PUT'],
    parameters: {
      source_name: requiredText,
      dialog_values: { type: 'json', required: true },
      per_component_amount: { type: 'json' },
      total_amount: { type: 'number' },
      target_doc: { type: 'json' },
    },
    run: async (work, { source_name, dialog_values, per_component_amount }) => {
      const structure = await work.get(feeStructure, source_name)
      if (structure.docstatus !== 1) {
        throw new RecordError(
          'ValidationError',
          `Submit the Fee Structure ${source_name} before schedules are made from it.`,
        )
      }
      const values = dialog_values as { distribution?: unknown; student_groups?: unknown }
      const distribution = parseRows('distribution', values.distribution, maxSchedules) as Partial<Instalment>[]
      const groups = parseRows('student_groups', values.student_groups)
      const chosen = Object.fromEntries(
        Object.entries(per_component_amount ?? {}).map(([category, amount]) => [
          category,
          readNumber(category, amount) ?? 0,
        ]),
      )
      const currency = await loadCurrency(work, structure.company)
      const own = distribution.map(({ amount }, index) => readNumber(`Row #${index + 1}: amount`, amount) ?? null)
      const amounts = computeInstalments(structure.components, own, currency, chosen)
      for (const [index, part] of distribution.entries()) {
        const due = sentText('due_date', part.due_date ?? '')
        if (due < work.today) {
          throw new RecordError('ValidationError', `Row #${index + 1}: the due date ${due} must not be in the past.`)
        }
        const components = structure.components.map(({ fees_category, description }, position) => ({
          fees_category,
          description,
          amount: amounts[index]?.[position],
        }))
        await createRecord(work, feeSchedule.name, {
          ...buildSchedule(structure),
          ...(part.term !== undefined && { academic_term: part.term }),
          due_date: due,
          student_groups: groups.map(({ student_group }) => ({ student_group })),
          components,
        })
      }
      return distribution.length
    },
  }),
  recordMethod({
    path: `${prefix}.api.get_fee_schedule`,
    rights: [{ type: programEnrollment, right: 'read', all: true }],
    summary: 'The fees that enrolling in a program leads to.',
    result: { type: 'array', description: 'Objects with `academic_term`, `fee_schedule`, `due_date` and `amount`.' },
    parameters: { program: requiredText, student_category: text },
    run: async (work, { program, student_category }) =>
      work.tx.query(sql`
        select f.academic_term, f.fee_schedule, f.fee_structure, f.due_date, f.amount
          from program_enrollments e
          join program_enrollments_fees f on f.tenant_id = e.tenant_id and f.parent_id = e.id
         where e.tenant_id = ${work.tx.tenantId} and e.program = ${program}
           and (coalesce(${student_category}::text, '') = '' or f.student_category = ${student_category}::text)
         order by e.created_at desc, f.idx limit 200`),
  }),
]

/** The rows of an argument. Throws `FrappeTypeError` for any other value, `DataError` for more than `max`. */
function parseRows(name: string, value: unknown, max?: number): Record<string, unknown>[] {
  if (Array.isArray(value)) requireFewItems(`The argument ${name}`, value.length, max)
  if (Array.isArray(value) && value.every((row) => typeof row === 'object' && row !== null)) return value
  throw new RecordError('FrappeTypeError', `${name} must be a list of rows.`)
}
