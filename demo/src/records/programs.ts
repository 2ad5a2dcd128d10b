import { searchText } from '@matricula/server/values/index'
import { letterGrades } from '../academics/basis.ts'
import { getDepartment } from '../academics/departments.ts'
import { catalogueCourses, cataloguePrograms } from '../catalogue/index.ts'
import type { RowOf } from '../copy.ts'
import { type Plan, programId, programMoment } from '../plan.ts'
import type { coursesTable, programCoursesTable, programsTable } from '../tables.ts'
import { calendarDate, firstSchoolDay, getAcademicYear, minute, stamp } from './calendar.ts'

/** The programs, their dates counted from the present academic year. */
export function programRows(plan: Plan): RowOf<typeof programsTable>[] {
  return cataloguePrograms.map((program, index) => {
    const firstYear = getAcademicYear(plan.end) + program.begins
    const createdAt = stamp(programMoment(plan, index))
    return {
      id: programId(plan, index),
      external_id: plan.random.of('program row', index).chance(0.7) ? `PROGRAM-${program.code}` : null,
      code: program.code,
      name: program.name,
      description: program.description,
      education_level: program.educationLevel,
      organization_profile: program.organizationProfile,
      status: program.status,
      modality: program.modality,
      start_date: calendarDate(firstSchoolDay(firstYear)),
      end_date: calendarDate(Date.UTC(firstYear + program.years, 5, 30)),
      search_text: searchText(program.name, program.code),
      department: getDepartment(program.code),
      program_abbreviation: program.code,
      created_at: createdAt,
      updated_at: createdAt,
    }
  })
}

/** Every course of the catalogue. */
export function courseRows(plan: Plan): RowOf<typeof coursesTable>[] {
  return catalogueCourses.map(([code, name, credits, hours, description, status = 'active'], index) => {
    const createdAt = stamp(courseMoment(plan, index))
    return {
      id: courseId(plan, index),
      external_id: plan.random.of('course row', index).chance(0.5) ? `COURSE-${code}` : null,
      code,
      name,
      description,
      credits,
      hours,
      status,
      search_text: searchText(name, code),
      department: getDepartment(code),
      default_grading_scale: letterGrades.name,
      created_at: createdAt,
      updated_at: createdAt,
    }
  })
}

/** Which courses belong to which programs. */
export function programCourseRows(plan: Plan): RowOf<typeof programCoursesTable>[] {
  const locations = new Map(catalogueCourses.map(([code], index) => [code, index]))
  return cataloguePrograms.flatMap(({ courses }, program) =>
    courses.map((code, position) => ({
      id: plan.ids.of('program course', program * 64 + position, courseMoment(plan, locations.get(code) as number)),
      program_id: programId(plan, program),
      course_id: courseId(plan, locations.get(code) as number),
      position: position + 1,
      is_required: isRequiredCourse(plan, program, position),
    })),
  )
}

/** Whether everybody in a program takes the course at a position of its list. */
export function isRequiredCourse(plan: Plan, program: number, position: number): boolean {
  return plan.random.of('program course', program * 64 + position).chance(0.8)
}

/** The id of a course of the catalogue. */
export function courseId(plan: Plan, index: number): string {
  return plan.ids.of('course', index, courseMoment(plan, index))
}

function courseMoment(plan: Plan, index: number): number {
  return plan.start + 180 * minute + index * 3 * minute + plan.random.of('course moment', index).below(2 * minute)
}
