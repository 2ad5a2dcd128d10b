import { createHash } from 'node:crypto'
import { mapSteps, runInSlices } from '../../../concurrency/index.ts'
import { sql, type Transaction } from '../../../database/index.ts'
import type { Entry } from './formats/statement.ts'

/** What is known of a stored line to recognise it. */
interface StoredLine {
  readonly id: string
  readonly format: string
  readonly amount: number
  readonly bankReference: string | null
  readonly content: string
  readonly ordinal: number
}

/** An entry of a file: the line that it is, or what a new line is told apart by. */
export interface Identified {
  readonly entry: Entry
  readonly knownId: string | null
  readonly content: string
  readonly ordinal: number
}

/**
 * Which entries of a file are lines that earlier files had: by the bank's reference and the amount, or by account, days,
 * amount and text with their ordinal among equal ones. Two references of one format that differ are two bookings.
 */
export async function identifyLines(
  tx: Transaction,
  account: string,
  format: string,
  entries: readonly Entry[],
): Promise<Identified[]> {
  const hashed = await runInSlices(mapSteps(entries, (entry) => ({ entry, content: contentOf(account, entry) })))
  const references = entries.flatMap(({ bankReference }) => bankReference ?? [])
  const contents = hashed.map(({ content }) => content)
  const stored = await tx.query<StoredLine>(sql`
    select l.id, l.format, l.amount, l.bank_reference as "bankReference", l.content_sha256 as content, l.ordinal
      from bank_statement_lines l
     where l.tenant_id = ${tx.tenantId}
       and (l.account = ${account} and l.bank_reference = any(${references}::text[])
            or l.content_sha256 = any(${contents}::text[]))
     order by l.content_sha256, l.ordinal`)
  const byReference = groupBy(stored, ({ bankReference, amount }) => `${amount} ${bankReference ?? ''}`)
  const byContent = groupBy(stored, ({ content }) => content)
  const taken = new Set<string>()
  /** The first line of a group that is not taken, and fits. Lines that are taken leave the front of the group, so that equal ones are fast. */
  const take = (group: StoredLine[] | undefined, fits: (line: StoredLine) => boolean = () => true): string | null => {
    while (group?.[0] !== undefined && taken.has(group[0].id)) group.shift()
    const line = group?.find((each) => !taken.has(each.id) && fits(each))
    if (line === undefined) return null
    taken.add(line.id)
    return line.id
  }
  const named = await runInSlices(
    mapSteps(hashed, ({ entry: { amount, bankReference } }) =>
      bankReference === null ? null : take(byReference.get(`${amount} ${bankReference}`)),
    ),
  )
  const ordinals = new Map([...byContent].map(([content, lines]) => [content, (lines.at(-1)?.ordinal ?? -1) + 1]))
  const identify = ({ entry, content }: (typeof hashed)[number], index: number): Identified => {
    const isOther = ({ bankReference, format: of }: StoredLine) =>
      of === format && bankReference !== null && entry.bankReference !== null && bankReference !== entry.bankReference
    const knownId = named[index] ?? take(byContent.get(content), (line) => !isOther(line))
    if (knownId !== null) return { entry, knownId, content, ordinal: 0 }
    const ordinal = ordinals.get(content) ?? 0
    ordinals.set(content, ordinal + 1)
    return { entry, knownId: null, content, ordinal }
  }
  return runInSlices(mapSteps(hashed, identify))
}

function contentOf(account: string, { bookedOn, valueOn, amount, text }: Entry): string {
  const said = (text ?? '').toLowerCase().replace(/\s+/g, '')
  return createHash('sha256')
    .update(JSON.stringify([account, bookedOn, valueOn, amount, said]))
    .digest('hex')
}

function groupBy<Item>(items: readonly Item[], key: (item: Item) => string): Map<string, Item[]> {
  const groups = new Map<string, Item[]>()
  for (const item of items) {
    const group = groups.get(key(item))
    if (group === undefined) groups.set(key(item), [item])
    else group.push(item)
  }
  return groups
}
