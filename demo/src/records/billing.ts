import type { Plan } from '../plan.ts'
import type { Random } from '../random.ts'
import { academicYearName, day, dayOfMonth, getMidnight, getMonth, monthName, schoolMonth } from './calendar.ts'
import { type Charge, diplomaFee, enrolmentFee, getAmount, monthlyCharges, singleCharges } from './charges.ts'
import { entryYear } from './families.ts'
import type { StudentBook } from './student-book.ts'

/** What a student is asked to pay. */
export interface Bill {
  readonly student: number
  readonly description: string
  readonly amount: number
  readonly dueAt: number
}

const chargesPerMonth = 4

/**
 * Bills the students in turn, as time goes on: first each newcomer for the enrolment, then everybody who is there, month
 * after month and nothing twice. Keeps a few bytes for each student.
 */
export class Billing {
  readonly #plan: Plan
  readonly #book: StudentBook
  readonly #random: Random
  /** The months that are to be billed next, for each student and monthly charge. */
  readonly #nextMonths: Int32Array
  /** The academic year that each student was last enrolled for. */
  readonly #enrolledYears: Int16Array
  #joined = 0
  #billed = 0
  #turn = -1

  constructor(plan: Plan, book: StudentBook, random: Random) {
    this.#plan = plan
    this.#book = book
    this.#random = random
    this.#nextMonths = new Int32Array(plan.students * chargesPerMonth)
    this.#enrolledYears = new Int16Array(plan.students)
  }

  /** The next bill, made at a moment that is not before the last one's. */
  next(moment: number): Bill {
    while (this.#joined < this.#plan.students && this.#book.createdAt(this.#joined) <= moment) this.#joined += 1
    if (this.#billed < this.#joined && (this.#billed === 0 || this.#random.chance(0.8))) {
      this.#billed += 1
      return this.#firstBill(this.#billed - 1, moment)
    }
    const student = this.#nextStudent(moment)
    const isNewYear = entryYear(moment) > (this.#enrolledYears[student] as number)
    if (isNewYear && this.#random.chance(0.6)) return this.#enrolment(student, moment)
    const isSingle = this.#random.chance(0.12)
    return (isSingle ? null : this.#monthlyBill(student, moment)) ?? this.#singleBill(student, moment)
  }

  /** The next one in turn who is still there. */
  #nextStudent(moment: number): number {
    for (let tries = 0; tries < 100; tries += 1) {
      this.#turn = (this.#turn + 1) % this.#billed
      if (this.#book.leftAt(this.#turn) > moment) break
    }
    return this.#turn
  }

  #firstBill(student: number, moment: number): Bill {
    if (this.#book.leftAt(student) > moment) return this.#enrolment(student, moment)
    return this.#bill(student, diplomaFee, diplomaFee.name, getMidnight(moment) + 14 * day)
  }

  #enrolment(student: number, moment: number): Bill {
    const year = entryYear(moment)
    this.#enrolledYears[student] = year
    const dueAt = getMidnight(moment) + this.#random.between(5, 15) * day
    return this.#bill(student, enrolmentFee, `${enrolmentFee.name} ${academicYearName(year)}`, dueAt)
  }

  /**
   * The next month of something that the student uses, mostly of the tuition and mostly of the coming month. Null when
   * all is billed for months to come.
   */
  #monthlyBill(student: number, moment: number): Bill | null {
    const dueDay = [1, 5, 10][student % 3] as number
    const isOver = new Date(moment).getUTCDate() >= dueDay
    const ahead = this.#random.weighted([0, 1, 2, 3, 4], (months) => 1 / (1 + months * months))
    const first = schoolMonth(getMonth(moment) + (isOver ? 1 : 0) + ahead)
    const charges = [0, 1, 2, 3].filter(
      (charge) => this.#uses(student, charge) && this.#nextMonth(student, charge) <= first + (charge === 0 ? 3 : 1),
    )
    if (charges.length === 0) return null
    const charge = this.#random.weighted(charges, (one) => (one === 0 ? 3 : 1))
    const month = schoolMonth(Math.max(this.#nextMonth(student, charge), first))
    this.#nextMonths[student * chargesPerMonth + charge] = month + 1
    const what = monthlyCharges[this.#book.program(student).kind][charge] as Charge
    return this.#bill(student, what, `${what.name}, ${monthName(month)}`, dayOfMonth(month, dueDay))
  }

  #singleBill(student: number, moment: number): Bill {
    const what = this.#random.pick(singleCharges[this.#book.program(student).kind])
    const price = what.price * this.#random.pick([0.8, 1, 1, 1.2])
    const dueAt = getMidnight(moment) + this.#random.between(7, 40) * day
    return this.#bill(student, { ...what, price }, `${what.name}, ${monthName(getMonth(dueAt))}`, dueAt)
  }

  #nextMonth(student: number, charge: number): number {
    return this.#nextMonths[student * chargesPerMonth + charge] as number
  }

  /** Everybody pays tuition, the others of the monthly charges are for some. */
  #uses(student: number, charge: number): boolean {
    if (charge === 0) return true
    if (charge === 1 && this.#book.program(student).kind === 'school') return this.#book.usesTransport(student)
    return (student * 7 + charge * 5) % 4 === 0
  }

  #bill(student: number, charge: Charge, description: string, dueAt: number): Bill {
    const discount = charge === enrolmentFee || charge.name === 'Tuition' ? this.#book.scholarship(student) : 0
    const dollars = this.#book.program(student).tuition * charge.price
    return { student, description, amount: getAmount(dollars, this.#plan.currency, discount), dueAt }
  }
}
