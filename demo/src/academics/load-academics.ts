import {
  assessmentPlan,
  assessmentResult,
  courseEnrollment,
  courseSchedule,
  employee,
  fees,
  glEntry,
  programEnrollment,
  studentAttendance,
  studentGroup,
  studentLeaveApplication,
  user,
} from '@matricula/contract/record-types'
import type { Load, RowOf } from '../copy.ts'
import type { Plan } from '../plan.ts'
import { academicYearName, day } from '../records/calendar.ts'
import type { paymentsTable } from '../tables.ts'
import type { AcademicCalendar } from './academic-calendar.ts'
import { loadAssessments } from './assessments.ts'
import { loadAttendance } from './attendance.ts'
import { holidayListName, loadBasis } from './basis.ts'
import { loadFees } from './demo-fees.ts'
import { loadEmailGroups } from './email-groups.ts'
import { batchesFor, type CodedStudent, Enrollments } from './enrollments.ts'
import { loadGroups } from './groups.ts'
import type { Institution } from './institution.ts'
import { loadLessons } from './lessons.ts'
import { loadNotes } from './notes.ts'
import { loadOffers } from './offers.ts'
import { OtherTerms } from './other-terms.ts'
import { RecordLoader } from './record-loader.ts'
import { loadPaymentTerms, loadPosting, loadPromotion, loadTransferCredits, loadWaitingLists } from './registrar.ts'
import { type DemoEmployee, loadInstructors, loadStaff, logIn, logInName, planStaff } from './staff.ts'
import { loadActivities, loadStudentLife } from './student-life.ts'
import { Bookings } from './week.ts'

/** How many records of some types of the Resource and Method API were made. */
export interface AcademicCounts {
  readonly employees: number
  readonly enrollments: number
  readonly courseEnrollments: number
  readonly studentGroups: number
  readonly lessons: number
  readonly attendances: number
  readonly leaves: number
  readonly assessmentPlans: number
  readonly assessmentResults: number
  readonly fees: number
  readonly ledgerEntries: number
}

/** What is set once the records are there. */
export interface AcademicFacts {
  readonly company: string
  readonly year: string
  readonly term: string
  readonly holidayList: string
  /** The last number of each series, by the text before it. */
  readonly lastNumbers: ReadonlyMap<string, number>
  /** A student, by id, and a relative who have log-ins, or null. */
  readonly logIns: { readonly student: string; readonly relative: string | null } | null
}

/** The name of the log-in of a student, and that of a relative. */
export const studentLogIn = logInName('Student')
export const guardianLogIn = logInName('Guardian')

/** Makes the records of the Resource and Method API, in the steps in which others need them. */
export class Academics {
  readonly #plan: Plan
  readonly #institution: Institution
  readonly #calendar: AcademicCalendar
  readonly #loader: RecordLoader
  readonly #enrollments: Enrollments
  readonly #otherTerms: OtherTerms
  readonly #staff: readonly DemoEmployee[]

  constructor(plan: Plan, institution: Institution, load: Load) {
    this.#plan = plan
    this.#institution = institution
    this.#calendar = plan.calendar
    this.#loader = new RecordLoader(plan, load)
    this.#enrollments = new Enrollments(plan, this.#loader)
    this.#otherTerms = new OtherTerms(plan, this.#loader)
    this.#staff = planStaff(plan)
  }

  /** What programs, courses and everything else name. */
  async loadBasis(): Promise<void> {
    const { company } = this.#institution
    await loadBasis(this.#plan, this.#calendar, company, batchesFor(this.#plan, this.#calendar), this.#loader)
    await loadStaff(this.#plan, this.#staff, company, this.#loader)
  }

  /** What programs and courses, which are there now, offer. */
  loadOffers(): Promise<void> {
    return loadOffers(this.#plan, this.#calendar, this.#loader)
  }

  /** Enrols some students, who are there now, and loads the last term of those of whom no whole term is shown. */
  async enroll(students: readonly CodedStudent[]): Promise<void> {
    await this.#otherTerms.add(await this.#enrollments.add(students))
  }

  /** The term of the shown students. Returns the payments of their fees in the order of their moments. */
  async loadTerm(): Promise<RowOf<typeof paymentsTable>[]> {
    const [plan, calendar, loader] = [this.#plan, this.#calendar, this.#loader]
    const { shown, newcomers } = this.#enrollments
    const bookings = new Bookings()
    const instructors = await loadInstructors(plan, this.#staff, loader)
    const groups = await loadGroups(plan, calendar, shown, this.#staff, bookings, instructors, loader)
    await loadEmailGroups(plan, groups, loader)
    await loadLessons(plan, calendar, groups, loader)
    await loadAttendance(plan, calendar, groups, loader)
    const examined = await loadAssessments(plan, groups, this.#staff, bookings, loader)
    await this.#otherTerms.place([...newcomers, ...shown.filter(({ code }) => !examined.has(code))])
    await loadStudentLife(plan, calendar, shown, loader)
    await loadNotes(plan, shown, this.#staff, loader)
    await loadTransferCredits(plan, shown, loader)
    await loadPaymentTerms(plan.end - 200 * day, loader)
    await loadWaitingLists(plan, groups, loader)
    await loadPromotion(plan, calendar, groups, loader)
    await loadPosting(plan, this.#otherTerms.findPostedCourse(), loader)
    const readers = this.#enrollments.readers.filter((_, position) => position % 6 === 1)
    await loadActivities(plan, readers, loader)
    await this.#loadLogIns()
    return loadFees(plan, calendar, groups, this.#institution, loader)
  }

  counts(): AcademicCounts {
    const made = (type: { readonly name: string }) => this.#loader.getMade(type)
    return {
      employees: made(employee),
      enrollments: made(programEnrollment),
      courseEnrollments: made(courseEnrollment),
      studentGroups: made(studentGroup),
      lessons: made(courseSchedule),
      attendances: made(studentAttendance),
      leaves: made(studentLeaveApplication),
      assessmentPlans: made(assessmentPlan),
      assessmentResults: made(assessmentResult),
      fees: made(fees),
      ledgerEntries: made(glEntry),
    }
  }

  facts(): AcademicFacts {
    const { term } = this.#calendar
    const [first] = this.#withLogIns()
    return {
      company: this.#institution.company,
      year: academicYearName(term.year),
      term: term.name,
      holidayList: holidayListName(this.#calendar),
      lastNumbers: this.#loader.lastNumbers(),
      logIns:
        first === undefined
          ? null
          : { student: first.student.id, relative: first.student.family.relatives[0]?.contactId ?? null },
    }
  }

  #withLogIns() {
    return this.#enrollments.shown.filter(({ student: { status } }) => status === 'active').slice(0, 1)
  }

  async #loadLogIns(): Promise<void> {
    for (const { student } of this.#withLogIns()) {
      const { givenNames: firstName, familyNames: lastName, gender } = student.child
      const moment = this.#plan.end - 40 * day
      const [relative] = student.family.relatives
      const parent = { firstName: relative?.displayName ?? 'Guardian', lastName: null, gender: null }
      await this.#loader.add(user, [
        logIn(studentLogIn, { firstName, lastName, gender }, 'Student', moment),
        ...(relative === undefined ? [] : [logIn(guardianLogIn, parent, 'Guardian', moment)]),
      ])
    }
  }
}
