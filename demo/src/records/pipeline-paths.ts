import type { Random } from '../random.ts'

/** A status of the tenant's pipeline, as far as paths follow from it. */
export interface PipelineStep {
  readonly key: string
  readonly category: 'open' | 'accepted' | 'rejected' | 'withdrawn' | 'enrolled'
  readonly isInitial: boolean
  /** Null permits any move. */
  readonly allowedNext: readonly string[] | null
}

/**
 * A way from where applications start to a status: by some of the open statuses in their order, and for the enrolled by
 * an accepted one. Where the pipeline forbids such a way, the shortest that it allows; where it allows none, the status
 * alone, since an application may also be made in it.
 */
export function pathTo(random: Random, pipeline: readonly PipelineStep[], target: PipelineStep): string[] {
  const start = pipeline.find((step) => step.isInitial) ?? pipeline[0]
  if (start === undefined || start === target) return [target.key]
  const open = pipeline.slice(pipeline.indexOf(start) + 1).filter(({ category }) => category === 'open')
  const before = target.category === 'open' ? open.slice(0, Math.max(open.indexOf(target), 0)) : open
  const passed = before.filter(() => random.chance(0.65))
  const accepted = target.category === 'enrolled' ? pipeline.find(({ category }) => category === 'accepted') : undefined
  const path = [...new Set([start, ...passed, ...(accepted === undefined ? [] : [accepted]), target])]
  const isAllowed = path.every((step, index) => index === 0 || mayMove(path[index - 1] as PipelineStep, step))
  return (isAllowed ? path : (shortestPath(pipeline, start, target) ?? [target])).map(({ key }) => key)
}

function shortestPath(pipeline: readonly PipelineStep[], start: PipelineStep, target: PipelineStep) {
  const paths = [[start]]
  const seen = new Set([start])
  for (const path of paths) {
    const end = path.at(-1) as PipelineStep
    if (end === target) return path
    for (const step of pipeline) {
      if (seen.has(step) || !mayMove(end, step)) continue
      seen.add(step)
      paths.push([...path, step])
    }
  }
  return null
}

function mayMove(from: PipelineStep, to: PipelineStep): boolean {
  return from.allowedNext === null || from.allowedNext.includes(to.key)
}
