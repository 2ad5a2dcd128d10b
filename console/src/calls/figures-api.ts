import { call } from './http.ts'

/** The figures of the institution; null of those that the person may not read. */
export interface Figures {
  readonly attendance: readonly { readonly week: string; readonly present: number; readonly absent: number }[] | null
  readonly currency: string
  readonly collections: readonly { readonly month: string; readonly due: number; readonly received: number }[] | null
  readonly academicYear: string | null
  readonly enrollment: readonly { readonly program: string; readonly students: number }[] | null
}

/** The figures that a decision hangs on. Throws `CallError`. */
export async function readFigures(): Promise<Figures> {
  return (await call('GET', '/console/v1/figures')).body.data
}
