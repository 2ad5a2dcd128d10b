import { type Sql, sql } from '../../../database/index.ts'
import {
  type Field,
  leadingFields,
  leadingMembers,
  type RosterClass,
  referenceFields,
  textField,
} from '../roster/roster-class.ts'
import { type ReferencedType, type RosterContext, reference } from '../roster/roster-context.ts'
import { type GradebookKind, gradebookKinds, type MemberType } from './gradebook-kinds.ts'
import { ownObjects } from './own-objects.ts'

/**
 * A class of the gradebook: what platforms have put, and what is read off our own records. A row has its members as JSON under
 * `content`, with references as sourcedIds.
 */
function gradebookClass(kind: GradebookKind): RosterClass {
  return {
    name: kind.name,
    source: (context) => {
      const own = ownObjects[kind.name]
      const put = sql`
        select e.sourced_id, e.content, e.class_id, e.student_id, e.parent, 'active' as status, e.updated_at as stamp,
               e.id as entry_id
          from gradebook_entries e
         where e.tenant_id = ${context.tenantId} and e.kind = ${kind.name}`
      return own === undefined ? put : sql`${put} union all ${own(context)}`
    },
    fields: (context) => ({
      ...leadingFields(sql`o.sourced_id`),
      ...Object.fromEntries(
        membersIn(context, kind).flatMap(([name, type]) => Object.entries(toFields(context, name, type))),
      ),
    }),
    members: (context) => ({
      ...leadingMembers(sql`o.sourced_id`),
      ...Object.fromEntries(membersIn(context, kind).map(([name, type]) => [name, toJson(context, name, type)])),
      metadata: sql`o.content -> 'metadata'`,
    }),
    order: sql`o.sourced_id collate "C"`,
    isObject: (_context, id) => sql`o.sourced_id = ${id}`,
    people: 'student' in kind.members ? sql`array[o.student_id::text]` : null,
  }
}

/** The members of a class: 1.1 has no score scales to refer to. */
function membersIn({ version }: RosterContext, { members }: GradebookKind): [string, MemberType][] {
  return Object.entries(members).filter(
    ([, type]) => version !== '1.1' || typeof type !== 'object' || type.refersTo !== 'scoreScale',
  )
}

const text = (name: string) => sql`(o.content ->> ${name}::text)`

/** What an object of a type is called in a reference, and where it is found. */
const referenced = (type: ReferencedType | 'student'): ReferencedType => (type === 'student' ? 'user' : type)

function toJson(context: RosterContext, name: string, type: MemberType): Sql {
  if (typeof type !== 'object') return sql`o.content -> ${name}::text`
  return reference(context, referenced(type.refersTo), text(name))
}

function toFields(context: RosterContext, name: string, type: MemberType): Record<string, Field> {
  if (typeof type === 'object') return referenceFields(context, name, referenced(type.refersTo), text(name))
  if (type === 'number') return { [name]: { type: 'number', value: sql`${text(name)}::numeric` } }
  if (type === 'moment') return { [name]: { type: 'moment', value: sql`${text(name)}::timestamptz` } }
  if (type === 'day') return { [name]: { type: 'day', value: sql`${text(name)}::date` } }
  return { [name]: textField(text(name)) }
}

/** The classes of the gradebook. */
export const gradebookClasses: Readonly<Record<GradebookKind['name'], RosterClass>> = {
  category: gradebookClass(gradebookKinds.category),
  lineItem: gradebookClass(gradebookKinds.lineItem),
  result: gradebookClass(gradebookKinds.result),
  scoreScale: gradebookClass(gradebookKinds.scoreScale),
  assessmentLineItem: gradebookClass(gradebookKinds.assessmentLineItem),
  assessmentResult: gradebookClass(gradebookKinds.assessmentResult),
}
