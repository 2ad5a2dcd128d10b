import { admittedStudent, applicationMoment, type Plan } from '../plan.ts'
import { day } from './calendar.ts'
import type { PipelineStep } from './pipeline-paths.ts'

/** An application that is to be made: when, with which status, and for whom. */
export interface PlannedApplication {
  readonly moment: number
  readonly status: PipelineStep
  /** The student whom the applicant became; null for the others. */
  readonly student: number | null
}

/** Of a hundred applications, about how many have a status of each category. */
const shares: Readonly<Record<PipelineStep['category'], number>> = {
  open: 44,
  accepted: 8,
  rejected: 11,
  withdrawn: 7,
  enrolled: 30,
}

/** Every application in the order of their moments, no two at the same one. Each status occurs when there are enough. */
export function planApplications(plan: Plan, pipeline: readonly PipelineStep[]): PlannedApplication[] {
  const open = pipeline.filter(({ category }) => category === 'open')
  const enrolled = pipeline.filter(({ category }) => category === 'enrolled')
  const others = pipeline.filter(({ category }) => category !== 'enrolled')
  const planned: PlannedApplication[] = []
  for (let nth = 0; nth < plan.admitted; nth += 1) {
    const student = admittedStudent(plan, nth)
    const status = enrolled[nth % enrolled.length] as PipelineStep
    planned.push({ moment: applicationMoment(plan, student) as number, status, student })
  }
  const counts = shareOut(plan.applications - plan.admitted, others)
  for (const [position, status] of others.entries()) {
    for (let nth = 0; nth < (counts[position] as number); nth += 1) {
      const random = plan.random.of(`application ${status.key}`, nth)
      const [youngest, oldest] = ageInDays(status, open)
      const age = (youngest + random.fraction() * (oldest - youngest)) * day
      planned.push({ moment: Math.floor(plan.end - age), status, student: null })
    }
  }
  return inOrder(planned)
}

/** How long ago, in days, applications began that have a status: the open ones the longer, the further they came. */
function ageInDays(status: PipelineStep, open: readonly PipelineStep[]): [number, number] {
  if (status.category === 'accepted') return [20, 110]
  if (status.category !== 'open') return [25, 520]
  const progress = open.indexOf(status) / open.length
  return [0.1 + progress * 30, 12 + progress * 55]
}

/**
 * The part of a category that its status of this turn has, of `count`: a funnel, in which each has two thirds of the one
 * before it.
 */
function shareOfTurn(turn: number, count: number): number {
  const parts = Array.from({ length: count }, (_, each) => (2 / 3) ** each)
  return (parts[turn] as number) / parts.reduce((one, other) => one + other, 0)
}

/** Shares a number out among statuses by category, at least one for each when there are enough. */
function shareOut(total: number, statuses: readonly PipelineStep[]): number[] {
  const weights = statuses.map(({ category }, position) => {
    const alike = statuses.filter((other) => other.category === category)
    const turn = statuses.slice(0, position).filter((other) => other.category === category).length
    return shares[category] * shareOfTurn(turn, alike.length)
  })
  const sum = weights.reduce((one, other) => one + other, 0)
  const min = total >= statuses.length ? 1 : 0
  const spare = total - min * statuses.length
  const ends = weights.map((_, position) =>
    Math.round((weights.slice(0, position + 1).reduce((one, other) => one + other, 0) / sum) * spare),
  )
  return ends.map((end, position) => min + end - (ends[position - 1] ?? 0))
}

function inOrder(planned: PlannedApplication[]): PlannedApplication[] {
  planned.sort((one, other) => one.moment - other.moment)
  let last = 0
  return planned.map((application) => {
    last = Math.max(application.moment, last + 1)
    return { ...application, moment: last }
  })
}
