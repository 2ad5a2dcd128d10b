import { isDeepStrictEqual } from 'node:util'
import type { Json } from '@matricula/contract'

/** One setting that differs. What is new has no `before`, what is removed no `after`. */
export interface Difference {
  /** Names of members, and keys of entries, with dots between them. */
  readonly path: string
  readonly before?: Json
  readonly after?: Json
}

type Settings = { readonly [name: string]: Json | undefined }

/** What differs between two settings, as deep as people name things: entries of a list by their keys. */
export function differences(before: object, after: object): Difference[] {
  return memberDifferences(before as Settings, after as Settings, '')
}

function memberDifferences(before: Settings, after: Settings, path: string): Difference[] {
  const names = Object.keys({ ...before, ...after })
  return names.flatMap((name) => valueDifferences(before[name], after[name], path === '' ? name : `${path}.${name}`))
}

function valueDifferences(before: Json | undefined, after: Json | undefined, path: string): Difference[] {
  if (isDeepStrictEqual(before, after)) return []
  if (isSettings(before) && isSettings(after)) return memberDifferences(before, after, path)
  if (isKeyedList(before) && isKeyedList(after)) return listDifferences(before, after, path)
  return [{ path, ...(before !== undefined && { before }), ...(after !== undefined && { after }) }]
}

function listDifferences(before: readonly Settings[], after: readonly Settings[], path: string): Difference[] {
  const [old, now] = [byKey(before), byKey(after)]
  const keys = [...new Set([...old.keys(), ...now.keys()])]
  const found = keys.flatMap((key) => valueDifferences(old.get(key) as Json, now.get(key) as Json, `${path}.${key}`))
  const orderBefore = [...old.keys()].filter((key) => now.has(key))
  const orderAfter = [...now.keys()].filter((key) => old.has(key))
  if (isDeepStrictEqual(orderBefore, orderAfter)) return found
  return [...found, { path: `${path} (order)`, before: orderBefore, after: orderAfter }]
}

/** What an entry of a list is known by. */
const keyNames = ['key', 'value', 'documentType']

function byKey(list: readonly Settings[]): Map<string, Settings> {
  const entries = new Map<string, Settings>()
  const counts = new Map<string, number>()
  for (const entry of list) {
    const name = keyNames.find((candidate) => typeof entry[candidate] === 'string') as string
    const key = String(entry[name])
    // The same document type can be asked for twice.
    const count = (counts.get(key) ?? 0) + 1
    counts.set(key, count)
    entries.set(count === 1 ? key : `${key} ${count}`, entry)
  }
  return entries
}

function isSettings(value: Json | undefined): value is { [name: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isKeyedList(value: Json | undefined): value is { [name: string]: Json }[] {
  return (
    Array.isArray(value) &&
    value.every((entry) => isSettings(entry) && keyNames.some((name) => typeof entry[name] === 'string'))
  )
}

/** A difference in one line, such as `maxSizeBytes 10485760 → 20971520`. */
export function toText({ path, before, after }: Difference): string {
  if (before === undefined) return `${path} added${isSettings(after) ? '' : ` ${shown(after)}`}`
  if (after === undefined) return `${path} removed`
  return `${path} ${shown(before)} → ${shown(after)}`
}

const longest = 80

function shown(value: Json | undefined): string {
  const text = JSON.stringify(value) ?? ''
  return text.length <= longest ? text : `${text.slice(0, longest)}…`
}
