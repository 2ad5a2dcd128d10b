import {
  academicTerm,
  academicYear,
  article,
  assessmentCriteria,
  assessmentCriteriaGroup,
  assessmentGroup,
  department,
  designation,
  feeCategory,
  gradingScale,
  holidayList,
  schoolHouse,
  studentBatchName,
  studentCategory,
  studentLanguage,
  topic,
} from '@matricula/contract/record-types'
import { rootAssessmentGroup } from '@matricula/server/features/assessment/index'
import type { Plan } from '../plan.ts'
import { academicYearName, calendarDate, minute } from '../records/calendar.ts'
import { type AcademicCalendar, boundsOfYear, type ExaminationWeek } from './academic-calendar.ts'
import { administration, demoDepartments } from './departments.ts'
import type { FieldsOf, NewRecord, RecordLoader } from './record-loader.ts'
import { articlesOfDemo, feeCategoriesOfDemo, topicsOfDemo } from './subject-matter.ts'

/** What students are told apart by for their fees. */
export const categories = ['Regular', 'Scholarship', 'Staff Family', 'Exchange'] as const
export const houses = ['Cedar', 'Condor', 'Delta', 'Ember'] as const

/** The grading scale of all courses, from the best grade to the worst. */
export const letterGrades = {
  name: 'Letter Grades',
  intervals: [
    { grade_code: 'A+', threshold: 95, grade_description: 'Outstanding' },
    { grade_code: 'A', threshold: 88, grade_description: 'Excellent' },
    { grade_code: 'B', threshold: 78, grade_description: 'Good' },
    { grade_code: 'C', threshold: 68, grade_description: 'Satisfactory' },
    { grade_code: 'D', threshold: 60, grade_description: 'Sufficient' },
    { grade_code: 'F', threshold: 0, grade_description: 'Not passed' },
  ],
} as const

const passOrFail = {
  name: 'Pass or Fail',
  intervals: [
    { grade_code: 'Pass', threshold: 60, grade_description: 'Passed' },
    { grade_code: 'Fail', threshold: 0, grade_description: 'To be repeated' },
  ],
} as const

/** What assessments look at, by the group of criteria. */
const criteria = {
  'Written Work': ['Written Examination', 'Written Test', 'Homework'],
  'Oral and Practical Work': ['Oral Presentation', 'Participation'],
} as const

/** What each criterion counts in a course, in percent. */
export const courseWeights = [
  ['Written Examination', 45],
  ['Oral Presentation', 15],
  ['Participation', 15],
  ['Written Test', 15],
  ['Homework', 10],
] as const

/** The name of the holiday list of the shown year. */
export function holidayListName({ term }: AcademicCalendar): string {
  return `School Year ${academicYearName(term.year)}`
}

/** The assessments of a term by what they are called, with the group that has them. */
export function assessmentGroupName({ occasion, term }: Pick<ExaminationWeek, 'occasion' | 'term'>): string {
  return `${occasion}, ${term.name}`
}

const occasions = ['Class Tests', 'Midterm Examinations', 'Final Examinations', 'Placement Tests'] as const
const designations = ['Teacher', 'Lecturer', 'Professor', 'Head of Department', 'Registrar', 'Accountant'] as const
const languages = ['English', 'Spanish', 'Portuguese', 'German', 'Polish', 'Hindi', 'Swahili', 'Filipino'] as const

/** Loads what everything else names: the calendar, lists of words, departments, and what assessments and fees are made of. */
export async function loadBasis(
  plan: Plan,
  calendar: AcademicCalendar,
  company: string,
  batches: readonly string[],
  loader: RecordLoader,
): Promise<void> {
  let moment = plan.start
  const all = <Fields>(fields: readonly Fields[]): { moment: number; fields: Fields }[] =>
    fields.map((each) => {
      moment += minute
      return { moment, fields: each }
    })
  const { term } = calendar
  await loader.add(academicYear, all(calendar.years.map(yearFields)))
  const terms = calendar.terms.map(({ name, year, title, start, end }) => ({
    name,
    academic_year: academicYearName(year),
    term_name: title,
    term_start_date: calendarDate(start),
    term_end_date: calendarDate(end),
    title: name,
  }))
  await loader.add(academicTerm, all(terms).map(named))
  const { start, end } = boundsOfYear(term.year)
  const holidays = calendar.holidays.map(({ date, description, isWeekend }) => ({
    holiday_date: calendarDate(date),
    description,
    weekly_off: isWeekend ? 1 : 0,
  }))
  await loader.add(
    holidayList,
    all([
      {
        holiday_list_name: holidayListName(calendar),
        from_date: calendarDate(start),
        to_date: calendarDate(end),
        total_holidays: holidays.length,
        holidays,
      },
    ]),
  )
  await loader.add(studentCategory, all(categories.map((category) => ({ category }))))
  await loader.add(studentLanguage, all(languages.map((language_name) => ({ language_name }))))
  await loader.add(studentBatchName, all(batches.map((batch_name) => ({ batch_name }))))
  await loader.add(schoolHouse, all(houses.map((house) => ({ house_name: house, description: `House ${house}` }))))
  const names = [administration, ...demoDepartments.map(({ name }) => name)]
  await loader.add(department, all(names.map((department_name) => ({ department_name, company }))))
  await loader.add(designation, all(designations.map((designation_name) => ({ designation_name }))))
  const scales = [letterGrades, passOrFail].map(({ name, intervals }) => ({ grading_scale_name: name, intervals }))
  await loader.add(gradingScale, all(scales))
  const groups = Object.keys(criteria).map((assessment_criteria_group) => ({ assessment_criteria_group }))
  await loader.add(assessmentCriteriaGroup, all(groups))
  const wholes = Object.entries(criteria).flatMap(([assessment_criteria_group, each]) =>
    each.map((name) => ({ assessment_criteria: name, assessment_criteria_group })),
  )
  await loader.add(assessmentCriteria, all(wholes))
  await loader.add(assessmentGroup, all(calendar.terms.flatMap(groupsOfTerm)))
  await loader.add(feeCategory, all(feeCategoriesOfDemo))
  await loader.add(
    article,
    all(
      articlesOfDemo.map(({ title, content }) => ({
        title,
        content,
        author: 'Amina Yusuf',
        publish_date: calendarDate(start),
      })),
    ),
  )
  const topics = topicsOfDemo.map(({ topic_name, description, articles }) => ({
    topic_name,
    description,
    topic_content: articles.map((content) => ({ content_type: 'Article', content })),
  }))
  await loader.add(topic, all(topics))
}

function yearFields(year: number): FieldsOf<typeof academicYear> {
  const { start, end } = boundsOfYear(year)
  return {
    academic_year_name: academicYearName(year),
    year_start_date: calendarDate(start),
    year_end_date: calendarDate(end),
  }
}

function groupsOfTerm(term: AcademicCalendar['term']): FieldsOf<typeof assessmentGroup>[] {
  const shared = { parent_assessment_group: term.name, is_group: 0 }
  return [
    { assessment_group_name: term.name, parent_assessment_group: rootAssessmentGroup, is_group: 1 },
    ...occasions.map((occasion) => ({ ...shared, assessment_group_name: assessmentGroupName({ occasion, term }) })),
  ]
}

function named<Fields extends { readonly name: string }>({
  moment,
  fields: { name, ...fields },
}: {
  moment: number
  fields: Fields
}): NewRecord<typeof academicTerm> {
  return { moment, name, fields: fields as FieldsOf<typeof academicTerm> }
}
