import { type CatalogueProgram, cataloguePrograms } from '../catalogue/index.ts'
import type { Plan } from '../plan.ts'
import type { DemoStudent } from './students.ts'

/** What payments need to know of every student, in a few bytes each. */
export class StudentBook {
  readonly #plan: Plan
  readonly #createdAt: Float64Array
  readonly #leftAt: Float64Array
  readonly #program: Uint8Array
  readonly #scholarship: Uint8Array
  readonly #usesTransport: Uint8Array

  constructor(plan: Plan) {
    this.#plan = plan
    this.#createdAt = new Float64Array(plan.students)
    this.#leftAt = new Float64Array(plan.students)
    this.#program = new Uint8Array(plan.students)
    this.#scholarship = new Uint8Array(plan.students)
    this.#usesTransport = new Uint8Array(plan.students)
  }

  /** Notes a student down. */
  add(student: DemoStudent): void {
    const { index } = student
    this.#createdAt[index] = student.createdAt
    this.#leftAt[index] = student.leftAt ?? Number.POSITIVE_INFINITY
    this.#program[index] = student.program
    this.#scholarship[index] = student.scholarship
    this.#usesTransport[index] = student.usesTransport ? 1 : 0
  }

  /** The id of a student. */
  getId(index: number): string {
    return this.#plan.ids.of('student', index, this.createdAt(index))
  }

  createdAt(index: number): number {
    return this.#createdAt[index] as number
  }

  /** Infinity for who is still there. */
  leftAt(index: number): number {
    return this.#leftAt[index] as number
  }

  program(index: number): CatalogueProgram {
    return cataloguePrograms[this.#program[index] as number] as CatalogueProgram
  }

  scholarship(index: number): number {
    return this.#scholarship[index] as number
  }

  usesTransport(index: number): boolean {
    return this.#usesTransport[index] === 1
  }
}
