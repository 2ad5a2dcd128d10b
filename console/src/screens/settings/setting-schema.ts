import type { Setting } from '../../calls/settings-api.ts'

/** What a setting may be (JSON Schema 2020-12, as far as the contract uses it). */
export interface Schema {
  readonly type?: string | readonly string[]
  readonly description?: string
  readonly enum?: readonly (string | null)[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly items?: Schema
  readonly anyOf?: readonly Schema[]
  readonly additionalProperties?: boolean | Schema
  readonly pattern?: string
  readonly minimum?: number
  readonly maximum?: number
  readonly maxLength?: number
}

/** With which control a setting is edited. */
export type ControlKind =
  | 'translated'
  | 'choice'
  | 'check'
  | 'number'
  | 'color'
  | 'text'
  | 'long'
  | 'choices'
  | 'lines'
  | 'rows'
  | 'pairs'
  | 'members'
  | 'other'

/** The schema without null, which stands for an empty control. */
export function withoutNull(schema: Schema): Schema {
  const [only, ...others] = (schema.anyOf ?? []).filter(({ type }) => type !== 'null')
  return only !== undefined && others.length === 0 ? { ...schema, ...only } : schema
}

/** The control of a setting. */
export function getControl(schema: Schema): ControlKind {
  const types = [schema.type ?? []].flat().filter((type) => type !== 'null')
  if (types.includes('string') && types.includes('object')) return 'translated'
  if (schema.enum !== undefined) return 'choice'
  const [type] = types
  if (types.length !== 1) return 'other'
  if (type === 'boolean') return 'check'
  if (type === 'integer' || type === 'number') return 'number'
  if (type === 'string') {
    if (schema.pattern?.startsWith('^#[0-9a-f]')) return 'color'
    return (schema.maxLength ?? 0) >= 1000 ? 'long' : 'text'
  }
  if (type === 'array') {
    const item = withoutNull(schema.items ?? {})
    if (item.enum !== undefined) return 'choices'
    return item.properties === undefined ? 'lines' : 'rows'
  }
  if (type !== 'object') return 'other'
  return schema.properties === undefined ? 'pairs' : 'members'
}

/** A setting as its members; none where it is no object. */
export function getMembers(value: Setting | undefined): Readonly<Record<string, Setting>> {
  const isMembers = typeof value === 'object' && value !== null && !Array.isArray(value)
  return isMembers ? (value as Readonly<Record<string, Setting>>) : {}
}

/** A setting as its list; empty where it is none. */
export function getList(value: Setting | undefined): readonly Setting[] {
  return Array.isArray(value) ? value : []
}

/** The members after one of them changed; undefined removes it. */
export function withMember(value: Setting | undefined, name: string, member: Setting | undefined): Setting {
  const { [name]: _, ...others } = getMembers(value)
  return member === undefined ? others : { ...getMembers(value), [name]: member }
}

/** Pairs of a name and texts as lines, such as `name: one, other`. */
export function toLines(value: Setting | undefined): string {
  return Object.entries(getMembers(value))
    .map(([name, member]) => `${name}: ${Array.isArray(member) ? member.join(', ') : String(member)}`)
    .join('\n')
}

/** The pairs that lines say; `isList` where each has several texts. */
export function fromLines(text: string, isList: boolean): Setting {
  const pairs = text.split('\n').flatMap((line): [string, Setting][] => {
    const at = line.indexOf(':')
    if (at <= 0) return []
    const value = line.slice(at + 1).trim()
    const texts = value
      .split(',')
      .map((each) => each.trim())
      .filter((each) => each !== '')
    return [[line.slice(0, at).trim(), isList ? texts : value]]
  })
  return Object.fromEntries(pairs)
}

/** What an entry of a section is known by. */
export function getKey(entry: Setting): string {
  const { key, role, recordType, name } = getMembers(entry)
  if (typeof recordType === 'string') return `${recordType}.${String(name ?? '')}`
  return String(key ?? role ?? '')
}

/** What differs of a draft: entries that are new or changed, and single settings that are. */
export function changedSettings(
  before: Readonly<Record<string, Setting>>,
  draft: Readonly<Record<string, Setting>>,
): Readonly<Record<string, Setting>> {
  const changed = Object.entries(draft).flatMap(([section, value]): [string, Setting][] => {
    const old = before[section]
    if (isSame(old, value)) return []
    if (!Array.isArray(value)) return [[section, value]]
    const known = new Map(getList(old).map((entry) => [getKey(entry), entry]))
    return [[section, value.filter((entry) => !isSame(known.get(getKey(entry)), entry))]]
  })
  return Object.fromEntries(changed)
}

/** Settings with others over them: entries take the place of those with their key, single settings that of the whole. */
export function laidOver(
  before: Readonly<Record<string, Setting>>,
  brought: Readonly<Record<string, Setting>>,
): Readonly<Record<string, Setting>> {
  const sections = Object.entries(brought).map(([name, value]): [string, Setting] => {
    const old = before[name]
    if (!Array.isArray(value) || !Array.isArray(old)) return [name, value]
    const byKey = new Map(value.map((entry) => [getKey(entry), entry]))
    const known = new Set(old.map(getKey))
    const replaced = old.map((entry) => byKey.get(getKey(entry)) ?? entry)
    return [name, [...replaced, ...value.filter((entry) => !known.has(getKey(entry)))]]
  })
  return { ...before, ...Object.fromEntries(sections) }
}

/** Whether two settings are the same, whatever the order of their members. */
export function isSame(one: Setting | undefined, other: Setting | undefined): boolean {
  return canonical(one) === canonical(other)
}

function canonical(value: Setting | undefined): string {
  const sorted = (_: string, each: Setting) =>
    typeof each === 'object' && each !== null && !Array.isArray(each)
      ? Object.fromEntries(Object.entries(each).sort(([a], [b]) => (a < b ? -1 : 1)))
      : each
  return JSON.stringify(value, sorted) ?? ''
}
