import {
  academicTerm,
  assessmentResult,
  studentAttendance,
  student as studentType,
} from '@matricula/contract/record-types'
import { type RecordEngine, RecordError, requireMoreThanGroups, requireReadableOf } from '../../record-engine/index.ts'
import { RecordFile, type StagedMethod, stagedMethod } from '../../resource-api/index.ts'
import { findYearOfStudent } from '../enrollment/index.ts'
import { defaultCompany } from '../organisation/index.ts'
import { loadReportCard } from './load-report-cards.ts'
import type { ReportCard, ReportSelection } from './report-card.ts'
import { type ReportPrint, reportCardPdf } from './report-card-pdf.ts'
import { reportCardSchema } from './report-card-schema.ts'

/** A report card, and what the institution that gives it is called. */
async function readReport(engine: RecordEngine, selection: ReportSelection) {
  const card = await loadReportCard(engine, selection)
  return { card, institution: (await defaultCompany(engine))?.name ?? engine.caller.tenant.slug }
}

async function printed(card: ReportCard, print: ReportPrint): Promise<RecordFile> {
  return new RecordFile(`Report Card ${card.student}.pdf`, 'application/pdf', await reportCardPdf(card, print))
}

/** The year that is named, that of the term that is named, or the one that is meant for the student. */
async function yearOfReport(engine: RecordEngine, student: string, year: string | null, term: string | null) {
  if (year) return year
  const ofTerm = term ? (await engine.get(academicTerm, term)).academic_year : null
  return ofTerm ?? findYearOfStudent(engine, student)
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
export const reportCardMethods: readonly StagedMethod[] = [
  stagedMethod({
    path: 'education.education.report_card.get_student_report_card',
    rights: [
      { type: assessmentResult, right: 'read' },
      { type: studentAttendance, right: 'read' },
    ],
    isForStudents: true,
    summary: 'What a student reached in a year or a term: all submitted results, attendance and a summary; or its PDF.',
    parameters: {
      student: { type: 'string', required: true },
      academic_year: { type: 'string' },
      academic_term: { type: 'string' },
      format: { type: 'string' },
    },
    result: reportCardSchema,
    fileType: 'application/pdf',
    runInStages: async (call, { student, academic_year, academic_term, format }) => {
      if (!['', 'json', 'pdf'].includes(format ?? '')) {
        throw new RecordError('FrappeTypeError', 'The argument format must be json or pdf.')
      }
      const { card, institution } = await call.transaction(async (engine) => {
        await requireReadableOf(engine, assessmentResult.name, student)
        await requireMoreThanGroups(engine, assessmentResult, studentType, student)
        const year = await yearOfReport(engine, student, academic_year, academic_term)
        return readReport(engine, { student, academic_year: year, academic_term: academic_term || null })
      })
      return format === 'pdf' ? printed(card, { institution, showMarks: true }) : card
    },
  }),
  stagedMethod({
    path: 'education.education.doctype.student_report_generation_tool.student_report_generation_tool.preview_report_card',
    rights: [
      { type: assessmentResult, right: 'read' },
      { type: studentAttendance, right: 'read' },
    ],
    summary: 'The report card of a student as PDF, of the assessments of one group.',
    parameters: { doc: { type: 'json', required: true } },
    fileType: 'application/pdf',
    runInStages: async (call, { doc }) => {
      const student = requireText(doc, 'student')
      const term = textIn(doc, 'academic_term')
      const group = textIn(doc, 'assessment_group')
      const { card, institution } = await call.transaction(async (engine) => {
        await requireReadableOf(engine, assessmentResult.name, student)
        await requireMoreThanGroups(engine, assessmentResult, studentType, student)
        const year = await yearOfReport(engine, student, textIn(doc, 'academic_year'), term)
        return readReport(engine, { student, academic_year: year, academic_term: term, assessment_group: group })
      })
      const [meetings, attended] = [textIn(doc, 'parents_meeting'), textIn(doc, 'parents_attendance')]
      const batch = textIn(doc, 'student_batch')
      return printed(card, {
        institution,
        showMarks: textIn(doc, 'show_marks') === '1',
        facts: [
          ...(batch === null ? [] : [['Batch', batch] as const]),
          ...(group === null ? [] : [['Assessments', group] as const]),
          ...(meetings === null ? [] : [['Parents’ meetings', `${attended ?? 0} of ${meetings}`] as const]),
        ],
        remark: textIn(doc, 'assessment_terms'),
      })
    },
  }),
]
