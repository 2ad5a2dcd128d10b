import type { Institution } from './academics/institution.ts'
import type { Load } from './copy.ts'
import { type DemoCounts, loadPlan } from './load.ts'
import { makePlan } from './plan.ts'
import type { PipelineStep } from './records/pipeline-paths.ts'

/** The pipeline that a new tenant has. */
export const defaultPipeline: readonly PipelineStep[] = (
  [
    ['new', 'open'],
    ['in_review', 'open'],
    ['documents_pending', 'open'],
    ['interview', 'open'],
    ['accepted', 'accepted'],
    ['rejected', 'rejected'],
    ['withdrawn', 'withdrawn'],
    ['enrolled', 'enrolled'],
  ] as const
).map(([key, category], index) => ({ key, category, isInitial: index === 0, allowedNext: null }))

type MadeRow = Readonly<Record<string, unknown>>

/** What a demo is made of, kept in memory: the rows of each table, in the order in which they are loaded. */
export interface MadeDemo {
  readonly counts: DemoCounts
  rows(table: string): readonly MadeRow[]
}

interface Settings {
  readonly students: number
  readonly payments: number
  readonly seed?: number
  readonly slug?: string
  readonly currency?: string
  readonly now?: string
  readonly pipeline?: readonly PipelineStep[]
}

const institution: Institution = {
  company: 'Hillside International College',
  receivable: 'Debtors - HIC',
  income: 'Fees Income - HIC',
  bank: 'Bank - HIC',
  costCenter: 'Main - HIC',
  currency: { code: 'USD', fraction: 'Cent', fractionUnits: 100, numberFormat: '#,###.##' },
}

const noVault = { documents: 0, requests: 0, templates: 0, submissions: 0 }

export async function makeDemo(settings: Settings): Promise<MadeDemo> {
  const { students, payments, seed = 1, slug = 'demo', currency = 'USD', now = '2026-11-21T03:47:59Z' } = settings
  const { pipeline = defaultPipeline } = settings
  const tenant = { id: '01985b2e-5a00-7000-8000-000000000001', slug, timeZone: 'America/Bogota', currency }
  const plan = makePlan(tenant, { students, payments, seed }, pipeline, new Date(now))
  const tables = new Map<string, MadeRow[]>()
  const load: Load = async (table, rows) => {
    const made = [...rows]
    tables.set(table.name, [...(tables.get(table.name) ?? []), ...made])
    return made.length
  }
  const { counts } = await loadPlan(plan, pipeline, institution, load, async () => noVault)
  return { counts, rows: (table) => tables.get(table) ?? [] }
}
