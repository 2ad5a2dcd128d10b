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

/** All reports. */
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
export function getRevealedTypes({ about, reveals }: Report): readonly RecordType[] {
  return [about, ...reveals]
}

/** Whether a caller has a role of a report and may read all records that it reveals. */
export function mayRun(caller: Caller, report: Report): boolean {
  if (!isManager(caller) && !report.roles.some((role) => caller.roles.has(role))) return false
  return getRevealedTypes(report).every((type) => mayDo(caller, type, 'read') && !readsOnlyItsOwn(caller, { type }))
}

/** The filters of a report, as form fields. */
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

/** A report as upstream's Report record, for clients that read it before they run it. */
function toReportRecord(report: Report): AnyDocument {
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

/** The reports that a caller may run, as read-only records. */
export const reportRecords = [
  defineRecord(reportType, {
    isWrittenByService: true,
    computed: ({ caller }: RecordView) => byName.filter((report) => mayRun(caller, report)).map(toReportRecord),
  }),
]
