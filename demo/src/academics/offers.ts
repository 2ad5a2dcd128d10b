import { course, studentAdmission } from '@matricula/contract/record-types'
import { catalogueCourses, cataloguePrograms } from '../catalogue/index.ts'
import type { Plan } from '../plan.ts'
import { academicYearName, calendarDate, minute } from '../records/calendar.ts'
import { getAmount } from '../records/charges.ts'
import { courseId } from '../records/programs.ts'
import type { AcademicCalendar } from './academic-calendar.ts'
import { courseWeights } from './basis.ts'
import type { RecordLoader } from './record-loader.ts'
import { topicsOfCourse } from './subject-matter.ts'

/** The call for applications of an academic year. */
export function admissionName(year: number): string {
  return `Admissions for ${academicYearName(year)}`
}

/** Loads what the programs and courses offer: a call for applications of each year, topics, and how a course is assessed. */
export async function loadOffers(plan: Plan, calendar: AcademicCalendar, loader: RecordLoader): Promise<void> {
  const present = calendar.years.at(-2) as number
  const admissions = calendar.years.map((year, position) => ({
    moment: plan.start + (900 + position) * minute,
    name: admissionName(year),
    fields: {
      title: admissionName(year),
      route: `admissions/Admissions-for-${academicYearName(year)}`,
      published: year >= present ? 1 : 0,
      enable_admission_application: year > present ? 1 : 0,
      academic_year: academicYearName(year),
      admission_start_date: calendarDate(Date.UTC(year - 1, 8, 1)),
      admission_end_date: calendarDate(Date.UTC(year, 7, 15)),
      introduction: `<p>Apply for one of our programs in ${academicYearName(year)}. Places are given in the order of complete applications.</p>`,
      program_details: cataloguePrograms
        .filter(({ status }) => status === 'active')
        .map(({ name, ages: [youngest], description, tuition }) => ({
          program: name,
          min_age: Math.max(youngest - 2, 0),
          description,
          application_fee: getAmount(tuition * 0.1, plan.currency, 0),
        })),
    },
  }))
  await loader.add(studentAdmission, admissions)
  const moment = plan.start + 920 * minute
  const topics = catalogueCourses.flatMap((_, position) =>
    topicsOfCourse(position).map((topic, index) => ({
      parentId: courseId(plan, position),
      idx: index + 1,
      fields: { topic, topic_name: topic },
    })),
  )
  await loader.addRows('courses_topics', course.fields.topics.rows, moment, topics)
  const weights = catalogueCourses.flatMap((_, position) =>
    courseWeights.map(([assessment_criteria, weightage], index) => ({
      parentId: courseId(plan, position),
      idx: index + 1,
      fields: { assessment_criteria, weightage },
    })),
  )
  await loader.addRows('courses_assessment_criteria', course.fields.assessment_criteria.rows, moment, weights)
}
