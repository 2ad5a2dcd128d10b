import { academicTerm, assessmentResult } from '@matricula/contract/record-types'
import { RecordFile, type RecordMethod, recordMethod } from '../../records/protocol/index.ts'
import { requireReadableOf } from '../../records/query/ownership.ts'
import type { RecordEngine } from '../../records/record-engine.ts'
import { RecordError } from '../../records/record-error.ts'
import { yearOfStudent } from '../enrollment/index.ts'
import { defaultCompany } from '../organisation/index.ts'
import { type ReportSelection, reportCardOf } from './report-card.ts'
import { type ReportPrint, reportCardPdf } from './report-card-pdf.ts'

async function printed(engine: RecordEngine, selection: ReportSelection, print: Omit<ReportPrint, 'institution'>) {
  const card = await reportCardOf(engine, selection)
  const institution = (await defaultCompany(engine))?.name ?? engine.caller.tenant.slug
  const bytes = await reportCardPdf(card, { institution, ...print })
  return new RecordFile(`Report Card ${card.student}.pdf`, 'application/pdf', bytes)
}

/** The year that is named, that of the term that is named, or the one that is meant for the student. */
async function yearOfReport(engine: RecordEngine, student: string, year: string | null, term: string | null) {
  if (year) return year
  const ofTerm = term ? (await engine.get(academicTerm, term)).academic_year : null
  return ofTerm ?? yearOfStudent(engine, student)
}

/** The text of a field that a client sent, or null. */
function textIn(fields: object, name: string): string | null {
  const value = (fields as Readonly<Record<string, unknown>>)[name]
  return typeof value === 'string' && value !== '' ? value : typeof value === 'number' ? String(value) : null
}

function requireText(fields: object, name: string): string {
  const value = textIn(fields, name)
  if (value !== null) return value
  throw new RecordError('FrappeTypeError', `The argument doc must have ${name}.`)
}

/** What clients ask of report cards. */
export const reportCardMethods: readonly RecordMethod[] = [
  recordMethod({
    path: 'education.education.report_card.get_student_report_card',
    isForStudents: true,
    summary: 'What a student reached in a year or a term: all submitted results, attendance and a summary; or its PDF.',
    parameters: {
      student: { type: 'string', required: true },
      academic_year: { type: 'string' },
      academic_term: { type: 'string' },
      format: { type: 'string' },
    },
    run: async (engine, { student, academic_year, academic_term, format }) => {
      if (!['', 'json', 'pdf'].includes(format ?? '')) {
        throw new RecordError('FrappeTypeError', 'The argument format must be json or pdf.')
      }
      await requireReadableOf(engine, assessmentResult.name, student)
      const year = await yearOfReport(engine, student, academic_year, academic_term)
      const selection = { student, academic_year: year, academic_term: academic_term || null }
      return format === 'pdf' ? printed(engine, selection, { showMarks: true }) : reportCardOf(engine, selection)
    },
  }),
  recordMethod({
    path: 'education.education.doctype.student_report_generation_tool.student_report_generation_tool.preview_report_card',
    summary: 'The report card of a student as PDF, of the assessments of one group.',
    parameters: { doc: { type: 'json', required: true } },
    run: async (engine, { doc }) => {
      const student = requireText(doc, 'student')
      await requireReadableOf(engine, assessmentResult.name, student)
      const term = textIn(doc, 'academic_term')
      const selection = {
        student,
        academic_year: await yearOfReport(engine, student, textIn(doc, 'academic_year'), term),
        academic_term: term,
        assessment_group: textIn(doc, 'assessment_group'),
      }
      const [meetings, attended] = [textIn(doc, 'parents_meeting'), textIn(doc, 'parents_attendance')]
      const batch = textIn(doc, 'student_batch')
      return printed(engine, selection, {
        showMarks: textIn(doc, 'show_marks') === '1',
        facts: [
          ...(batch === null ? [] : [['Batch', batch] as const]),
          ...(selection.assessment_group === null ? [] : [['Assessments', selection.assessment_group] as const]),
          ...(meetings === null ? [] : [['Parents’ meetings', `${attended ?? 0} of ${meetings}`] as const]),
        ],
        remark: textIn(doc, 'assessment_terms'),
      })
    },
  }),
]
