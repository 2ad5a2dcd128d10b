import { call } from '../http.ts'
import { institutionPath } from '../place.ts'

/** An assessment of which a student has no submitted result. */
export interface LackingResult {
  readonly plan: string
  readonly title: string
  readonly course: string
  readonly result: string | null
}

/** Who of a group lacks what on the report card. */
export interface CardsOfGroup {
  readonly studentGroup: string
  readonly academicYear: string
  readonly academicTerm: string | null
  readonly students: readonly {
    readonly student: string
    readonly studentName: string
    readonly results: number
    readonly isPosted: boolean
    readonly edition: number | null
    readonly lacks: readonly LackingResult[]
  }[]
}

/** How far a print is. */
export interface CardPrint {
  readonly id: string
  readonly status: 'queued' | 'running' | 'done' | 'cancelled' | 'failed'
  readonly total: number
  readonly done: number
  readonly fault: string | null
}

const prints = '/console/v1/report-cards/prints'

/** The report cards of a group: of a term, of the whole year for an empty text, else of the group's term. Throws `CallError`. */
export async function readCardsOfGroup(studentGroup: string, academicTerm?: string): Promise<CardsOfGroup> {
  return (await call('GET', '/console/v1/report-cards', { query: { studentGroup, academicTerm } })).body.data
}

/** Begins to print report cards; the key is that of the intention. Throws `CallError`. */
export async function printCards(
  key: string,
  asked: {
    readonly studentGroup: string
    readonly academicTerm: string | null
    readonly showMarks: boolean
    readonly onlyComplete: boolean
  },
): Promise<CardPrint> {
  return (await call('POST', prints, { headers: { 'idempotency-key': key }, body: asked })).body.data
}

/** How far a print is. Throws `CallError`. */
export async function readCardPrint(id: string): Promise<CardPrint> {
  return (await call('GET', `${prints}/${id}`, { isByItself: true })).body.data
}

/** Cancels a print that is not over. Throws `CallError`. */
export async function cancelCardPrint(id: string): Promise<CardPrint> {
  return (await call('POST', `${prints}/${id}/cancel`)).body.data
}

/** Where the file of a print is had. */
export const getPrintAddress = (id: string): string => `${institutionPath}${prints}/${id}/file`
