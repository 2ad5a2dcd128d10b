import { type RecordType, reportFilter, report as reportType } from '@matricula/contract/record-types'
import {
  type AnyDocument,
  type Caller,
  defineRecord,
  emptyDocument,
  isManager,
  mayDo,
  type RecordView,
  readsOnlyItsOwn,
} from '../../record-engine/index.ts'
import { absentStudents } from './absent-students.ts'
import { assessmentPlanStatus } from './assessment-plan-status.ts'
import { batchAttendance } from './batch-attendance.ts'
import { contactDetails } from './contact-details.ts'
import { courseAssessments } from './course-assessments.ts'
import { programFeeCollection, studentFeeCollection } from './fee-collection.ts'
import { finalGrades } from './final-grades.ts'
import { monthlyAttendance } from './monthly-attendance.ts'
import type { Report } from './report.ts'

/** The reports of the institution. */
export const reports: readonly Report[] = [
  absentStudents,
  assessmentPlanStatus,
  batchAttendance,
  contactDetails,
  courseAssessments,
  finalGrades,
  monthlyAttendance,
  programFeeCollection,
  studentFeeCollection,
]

/** The types of which a report reveals all records. */
export function getTypes({ about, reveals }: Report): readonly RecordType[] {
  return [about, ...reveals]
}

/** Whether somebody has a role of a report and may read all records that it reveals. */
export function mayRun(caller: Caller, report: Report): boolean {
  if (!isManager(caller) && !report.roles.some((role) => caller.roles.has(role))) return false
  return getTypes(report).every((type) => mayDo(caller, type, 'read') && !readsOnlyItsOwn(caller, { type }))
}

/** The filters of a report, as fields that a client asks for. */
export function filterFields({ filters }: Report) {
  return Object.entries(filters).map(([fieldname, { type, label, of, choices, required }]) => ({
    fieldname,
    label:
      label ?? fieldname.replace(/(^|_)([a-z])/g, (_, before, letter) => `${before && ' '}${letter.toUpperCase()}`),
    fieldtype: type === 'date' ? 'Date' : of !== undefined ? 'Link' : choices !== undefined ? 'Select' : 'Data',
    options: of ?? choices?.join('\n') ?? null,
    mandatory: required === true ? 1 : 0,
  }))
}

/** A report as upstream describes one, for clients that look it up before they run it. */
function describedReport(report: Report): AnyDocument {
  const rows = filterFields(report).map((field, index) => ({
    ...emptyDocument(reportFilter),
    ...field,
    name: `${report.name}-${field.fieldname}`,
    idx: index + 1,
    parent: report.name,
    parentfield: 'filters',
    parenttype: reportType.name,
  }))
  return {
    ...emptyDocument(reportType),
    name: report.name,
    owner: 'Administrator',
    modified_by: 'Administrator',
    report_name: report.name,
    ref_doctype: report.about.name,
    module: 'Education',
    is_standard: 'Yes',
    report_type: 'Script Report',
    add_total_row: report.hasTotals ? 1 : 0,
    filters: rows,
  }
}

const byName = [...reports].sort((one, other) => (one.name < other.name ? -1 : 1))

/** The reports that somebody may run, as records that nobody writes. */
export const reportRecords = [
  defineRecord(reportType, {
    isWrittenByService: true,
    computed: ({ caller }: RecordView) => byName.filter((report) => mayRun(caller, report)).map(describedReport),
  }),
]
