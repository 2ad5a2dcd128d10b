import { identifier, column as quoted, type Sql, sql } from '../../../database/index.ts'
import { findParentField } from '../../links/tree-links.ts'
import { takenValue } from '../../model/field-values.ts'
import { RecordError } from '../../model/record-error.ts'
import type { QueryColumn } from '../query-column.ts'
import type { QuerySources } from '../query-sources.ts'
import type { Filter } from './filters.ts'
import type { Condition } from './operand.ts'

/**
 * The condition of an operator on a tree: the field names a record that stands below, or above, another one. The field
 * is the `name` of a type whose records form a tree, or a link to such a type.
 *
 * @throws RecordError `ValidationError` for a field that leads to no tree.
 */
export function treeCondition(sources: QuerySources, { operator, value }: Filter, column: QueryColumn): Condition {
  const definition = sources.findDefinition(column.field.type === 'Link' ? column.field.target : column.recordType.name)
  const parent = definition === null || !namesRecords(column) ? null : findParentField(definition.type)
  if (definition === null || parent === null) {
    throw new RecordError('ValidationError', `${column.name} leads to no tree, which the operator ${operator} is for.`)
  }
  const start = takenValue(column.name, { type: 'Data', label: column.field.label }, value) as string | null
  const tree = { relation: identifier(definition.relation), parent: quoted(parent), tenantId: sources.tenantId }
  const names = operator.includes('descendants')
    ? namesBelow(tree, start, operator.endsWith('(inclusive)'))
    : namesAbove(tree, start)
  if (!operator.startsWith('not')) return { sql: sql`${column.raw} in (${names})`, holdsForUnset: false }
  const isOutside = sql`${column.raw} not in (${names})`
  if (!column.isNullable) return { sql: isOutside, holdsForUnset: false }
  return { sql: sql`(${isOutside} or ${column.raw} is null)`, holdsForUnset: true }
}

function namesRecords({ field, name }: QueryColumn): boolean {
  return field.type === 'Link' || name === 'name'
}

interface Tree {
  readonly relation: Sql
  readonly parent: Sql
  readonly tenantId: string
}

/** `union` removes duplicates, so that the recursion ends on a cycle too. */
function namesBelow({ relation, parent, tenantId }: Tree, start: string | null, isInclusive: boolean): Sql {
  const first = isInclusive ? sql`node.name` : sql`node.${parent}`
  return sql`
    with recursive tree as (
      select node.name from ${relation} node where node.tenant_id = ${tenantId} and ${first} = ${start}
      union
      select node.name from tree join ${relation} node on node.tenant_id = ${tenantId} and node.${parent} = tree.name
    ) select tree.name from tree`
}

function namesAbove({ relation, parent, tenantId }: Tree, start: string | null): Sql {
  return sql`
    with recursive tree as (
      select node.${parent} as name from ${relation} node where node.tenant_id = ${tenantId} and node.name = ${start}
      union
      select node.${parent} from tree join ${relation} node on node.tenant_id = ${tenantId} and node.name = tree.name
    ) select tree.name from tree where tree.name is not null`
}
