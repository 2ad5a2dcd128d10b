import { call } from '../http.ts'

const method = (name: string) => `/api/method/education.education.api.${name}`

/** Moves a student to another group; the day is the first one there. A student who left already is refused. Throws `CallError`, as all of these do. */
export async function moveStudent(student: string, from: string, to: string, date: string): Promise<void> {
  await call('POST', method('move_student'), { body: { student, from_group: from, to_group: to, date } })
}

/** Offers the free places of a group to those who wait; the entries that were offered one. */
export async function offerPlaces(group: string): Promise<string[]> {
  return (await call('POST', method('offer_free_places'), { body: { student_group: group } })).body.message
}

/** Accepts the place that is offered by an entry of a waiting list. */
export async function acceptOffer(entry: string): Promise<void> {
  await call('POST', method('accept_waiting_list_offer'), { body: { name: entry } })
}

/** Takes a student off a waiting list. */
export async function leaveWaitingList(entry: string): Promise<void> {
  await call('POST', method('leave_waiting_list'), { body: { name: entry } })
}

/** What would become of a student. */
export interface PromotedStudent {
  readonly student: string
  readonly student_name: string | null
  readonly decision: string
  /** Of a promotion that was not run nothing is said. */
  readonly outcome?: string | null
  readonly message?: string | null
}

/** What a promotion would do with each student; nothing is changed. */
export async function previewPromotion(promotion: string): Promise<{
  readonly students: readonly PromotedStudent[]
  readonly total: number
  readonly refused: number
}> {
  return (await call('POST', method('preview_promotion'), { body: { promotion } })).body.message
}

/** How far a promotion is. */
export interface PromotionState {
  readonly status: string
  readonly done: number
  readonly total: number
  readonly error_log: string | null
}

/** Begins a promotion, once however often it is asked for. */
export async function startPromotion(promotion: string): Promise<PromotionState> {
  return (await call('POST', method('start_promotion'), { body: { promotion } })).body.message
}

/** Begins to take back a promotion, once however often it is asked for. */
export async function undoPromotion(promotion: string): Promise<PromotionState> {
  return (await call('POST', method('undo_promotion'), { body: { promotion } })).body.message
}

/** How far a promotion is. Nobody's doing: it is asked again and again. */
export async function promotionState(promotion: string): Promise<PromotionState> {
  const asked = { query: { promotion }, isByItself: true }
  return (await call('GET', method('get_promotion_progress'), asked)).body.message
}
