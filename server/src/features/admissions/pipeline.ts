import type { PipelineStatus, Static } from '@matricula/contract'
import { type Locale, locales } from '@matricula/pages'
import { type Database, type Sql, sql, type Transaction } from '../../database/index.ts'
import { Problem } from '../../errors/index.ts'
import { newId } from '../../values/index.ts'

export type PipelineStatusRecord = Static<typeof PipelineStatus>

interface PipelineStatusRow {
  id: string
  key: string
  label: string
  description: string
  category: PipelineStatusRecord['category']
  position: number
  color: string
  is_initial: boolean
  is_terminal: boolean
  is_active: boolean
  allowed_next: string[] | null
  requires_complete: boolean
  created_at: string
  updated_at: string
}

/** The statuses that a new tenant starts with. */
const defaultStatuses = [
  { key: 'new', category: 'open', color: '#5b8def' },
  { key: 'in_review', category: 'open', color: '#8e6bd8' },
  { key: 'documents_pending', category: 'open', color: '#d99a2b' },
  { key: 'interview', category: 'open', color: '#2ba5b5' },
  { key: 'accepted', category: 'accepted', color: '#3a9d5d' },
  { key: 'rejected', category: 'rejected', color: '#c4493d' },
  { key: 'withdrawn', category: 'withdrawn', color: '#7d8590' },
  { key: 'enrolled', category: 'enrolled', color: '#1f7a44' },
] as const

type DefaultLabels = Readonly<Record<(typeof defaultStatuses)[number]['key'], string>>

/** What they are called, by the language of the tenant. */
const defaultLabels: Readonly<Record<Locale, DefaultLabels>> = {
  en: {
    new: 'New',
    in_review: 'In review',
    documents_pending: 'Documents pending',
    interview: 'Interview',
    accepted: 'Accepted',
    rejected: 'Rejected',
    withdrawn: 'Withdrawn',
    enrolled: 'Enrolled',
  },
  es: {
    new: 'Nueva',
    in_review: 'En revisión',
    documents_pending: 'Faltan documentos',
    interview: 'Entrevista',
    accepted: 'Aceptada',
    rejected: 'Rechazada',
    withdrawn: 'Retirada',
    enrolled: 'Matriculado',
  },
  pt: {
    new: 'Nova',
    in_review: 'Em análise',
    documents_pending: 'Documentos pendentes',
    interview: 'Entrevista',
    accepted: 'Aceita',
    rejected: 'Recusada',
    withdrawn: 'Desistência',
    enrolled: 'Matriculado',
  },
  fr: {
    new: 'Nouveau',
    in_review: 'En cours d’examen',
    documents_pending: 'Documents manquants',
    interview: 'Entretien',
    accepted: 'Accepté',
    rejected: 'Refusé',
    withdrawn: 'Retiré',
    enrolled: 'Inscrit',
  },
}

/** Inserts the default pipeline of a new tenant, in its language. */
export function seedPipeline(tx: Transaction): void {
  for (const [index, { key, category, color }] of defaultStatuses.entries()) {
    const labels = JSON.stringify(Object.fromEntries(locales.map((locale) => [locale, defaultLabels[locale][key]])))
    tx.send(sql`
      insert into pipeline_statuses (tenant_id, id, key, label, category, position, color, is_initial, is_terminal)
      select ${tx.tenantId}, ${newId()}, ${key}, ${labels}::jsonb ->> t.language, ${category}, ${index + 1}::integer,
             ${color}, ${index === 0}::boolean, ${category !== 'open' && category !== 'accepted'}::boolean
        from tenants t where t.id = ${tx.tenantId}
      on conflict (tenant_id, key) do nothing`)
  }
}

function selectPipeline(tenantId: string): Sql {
  return sql`select * from pipeline_statuses where tenant_id = ${tenantId} order by position, key`
}

/** Every configured status, in order. */
export async function listPipelineStatuses(database: Database, tenantId: string): Promise<PipelineStatusRecord[]> {
  const rows = await database.read<PipelineStatusRow>(tenantId, selectPipeline(tenantId))
  return rows.map(toPipelineStatus)
}

/** Every configured status, in order, read in a transaction. */
export async function readPipeline(tx: Transaction): Promise<PipelineStatusRecord[]> {
  return (await tx.query<PipelineStatusRow>(selectPipeline(tx.tenantId))).map(toPipelineStatus)
}

/** The status of a new application: the requested or the initial one. Throws `unknown_pipeline_status`. */
export async function requireStartingStatus(tx: Transaction, key: string | undefined): Promise<PipelineStatusRecord> {
  const statuses = await readPipeline(tx)
  if (key !== undefined) return requireActive(statuses, key)
  const initial =
    statuses.find((status) => status.isInitial && status.isActive) ?? statuses.find(({ isActive }) => isActive)
  if (initial === undefined)
    throw new Problem('rule_violated', 'The pipeline has no active status.', { rule: 'pipeline_has_statuses' })
  return initial
}

/**
 * The target status of a move. Throws `unknown_pipeline_status`, and `transition_not_allowed` when the pipeline does
 * not allow the move.
 */
export async function requireMove(tx: Transaction, from: string, to: string): Promise<PipelineStatusRecord> {
  const statuses = await readPipeline(tx)
  const target = requireActive(statuses, to)
  const allowed = statuses.find((status) => status.key === from)?.allowedNext ?? null
  if (allowed !== null && !allowed.includes(to)) {
    const advice = allowed.length === 0 ? 'It stays there' : `It may move to ${allowed.join(', ')}`
    throw new Problem('transition_not_allowed', `An application in ${from} cannot move to ${to}. ${advice}.`, {
      currentState: from,
      allowed,
    })
  }
  return target
}

function requireActive(statuses: PipelineStatusRecord[], key: string): PipelineStatusRecord {
  const found = statuses.find((status) => status.key === key && status.isActive)
  if (found !== undefined) return found
  const allowed = statuses.filter((status) => status.isActive).map((status) => status.key)
  throw new Problem(
    'unknown_pipeline_status',
    `The pipeline has no active status ${key}. It has: ${allowed.join(', ')}.`,
    { allowed },
  )
}

function toPipelineStatus(row: PipelineStatusRow): PipelineStatusRecord {
  return {
    id: row.id,
    key: row.key,
    label: row.label,
    description: row.description,
    category: row.category,
    position: row.position,
    color: row.color,
    isInitial: row.is_initial,
    isTerminal: row.is_terminal,
    isActive: row.is_active,
    allowedNext: row.allowed_next,
    requiresComplete: row.requires_complete,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
}
