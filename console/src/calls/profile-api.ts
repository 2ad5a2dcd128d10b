import { call } from './http.ts'

/** The newest of a part of what there is about a student. */
interface Part {
  readonly total: number
  readonly newest: readonly {
    readonly id: string
    readonly name: string | null
    readonly title: string
    readonly status: string | null
    readonly at: string | null
  }[]
}

/** What is owed in a currency (ISO 4217), and how much of it is overdue. */
interface Owed {
  readonly currency: string
  readonly outstanding: number
  readonly overdue: number
}

/** What is asked of a student on the phone; what the person may not read is null. */
export interface StudentProfile {
  readonly id: string
  readonly name: string
  readonly fullName: string
  readonly status: string
  readonly program: string
  readonly academicYear: string | null
  readonly dateOfBirth: string | null
  readonly email: string | null
  readonly phone: string | null
  readonly address: string | null
  readonly groups: readonly string[] | null
  readonly contacts:
    | readonly {
        readonly name: string
        readonly guardian: string
        readonly relationship: string | null
        readonly phone: string | null
        readonly email: string | null
      }[]
    | null
  readonly money: (Owed & { readonly byCurrency: readonly Owed[] }) | null
  readonly documents: {
    readonly required: number
    readonly complete: number
    readonly missing: readonly string[]
  } | null
  readonly attendance: { readonly today: string | null; readonly absences: number } | null
  readonly enrollments: Part | null
  readonly payments: Part | null
  readonly papers: Part | null
  readonly requests: Part | null
  readonly results: Part | null
}

/** Everything that the head of a student's page answers, in one call. Throws `CommandError`. */
export async function studentProfile(student: string): Promise<StudentProfile> {
  return (await call('GET', '/console/v1/student-profile', { query: { student } })).body.data
}
