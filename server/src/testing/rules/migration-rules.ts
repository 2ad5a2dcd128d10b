import { parse } from 'libpg-query'
import type { Migration } from '../../database/migrations/migration-files.ts'

// biome-ignore lint/suspicious/noExplicitAny: a tree of PostgreSQL's parser
type Node = any

/** A statement that must not stand in a migration, and what to write instead. */
export interface MigrationRuleError {
  readonly migration: string
  readonly statement: string
  readonly advice: string
}

/** A comment right before a statement that says why it may stand there all the same. */
const reviewed = /^\s*--[^\n]*\breviewed: \S/m

/**
 * What would hold up a large table that is written, or take away what processes of the version before use, read off the statements by
 * PostgreSQL's own parser. Tables that the same file makes are empty and may be changed in any way. A statement right below a comment
 * with the word `reviewed:` and a reason is not looked at.
 */
export async function loadErrors({ name, text, kind, way }: Migration): Promise<MigrationRuleError[]> {
  const bytes = Buffer.from(text)
  const { stmts = [] } = (await parse(text)) as Node
  const made = new Set<string>()
  const validationErrors: MigrationRuleError[] = []
  // A statement with the comments before it begins where the one before it ended.
  let end = 0
  for (const { stmt, stmt_location: from = 0, stmt_len: length } of stmts as Node[]) {
    const to = length === undefined ? bytes.length : from + length
    const written = bytes.subarray(end, to).toString()
    end = to + 1
    const [type = '', node] = (Object.entries(stmt)[0] ?? []) as [string, Node]
    if (type === 'CreateStmt') made.add(node.relation.relname)
    if (reviewed.test(written)) continue
    const advices = [...adviceOnWay(type, node, way, stmts.length), ...adviceOn(type, node, { kind, way, made })]
    const statement = written.replace(/^(?:\s*--[^\n]*\n)*\s*/, '').slice(0, 100)
    validationErrors.push(...advices.map((advice) => ({ migration: name, statement, advice })))
  }
  return validationErrors
}

function adviceOnWay(type: string, node: Node, way: Migration['way'], count: number): string[] {
  if (way === 'concurrently') {
    const isRepeatable =
      (type === 'IndexStmt' && node.concurrent && node.if_not_exists) ||
      (type === 'DropStmt' && node.removeType === 'OBJECT_INDEX' && node.concurrent && node.missing_ok)
    return isRepeatable ? [] : ['here only: create index concurrently if not exists, drop index concurrently if exists']
  }
  if (way !== 'in batches') return []
  const isChange = ['UpdateStmt', 'DeleteStmt', 'InsertStmt'].includes(type)
  return isChange && count === 1
    ? []
    : ['here only one update, insert or delete, which changes a few thousand rows at most']
}

interface Place {
  readonly kind: Migration['kind']
  readonly way: Migration['way']
  readonly made: ReadonlySet<string>
}

function adviceOn(type: string, node: Node, { kind, way, made }: Place): string[] {
  const isMade = node.relation !== undefined && made.has(node.relation.relname)
  switch (type) {
    case 'IndexStmt':
      return isMade || node.concurrent
        ? []
        : ['build it in a file of its own that begins with "-- migration: concurrently"']
    case 'AlterTableStmt':
      if (isMade) return []
      return (node.cmds as Node[]).flatMap(({ AlterTableCmd: command }) => adviceOnChange(command, kind))
    case 'UpdateStmt':
    case 'DeleteStmt':
      return isMade || way === 'in batches'
        ? []
        : ['change rows in a file of its own that begins with "-- migration: in batches"']
    case 'RenameStmt':
      return ['older processes know the old name: add under the new one, and drop the old one in a later version']
    case 'DropStmt': {
      const isBrief = ['OBJECT_TRIGGER', 'OBJECT_POLICY'].includes(node.removeType) || node.concurrent
      return isBrief || kind === 'contract'
        ? []
        : ['older processes may use it: drop it in a file that begins with "-- migration: contract"']
    }
    case 'TruncateStmt':
    case 'LockStmt':
    case 'ClusterStmt':
    case 'ReindexStmt':
    case 'VacuumStmt':
      return ['it holds the table for as long as it takes']
    case 'DoStmt':
      return ['nobody sees what it does: write plain statements']
    default:
      return []
  }
}

const scans =
  'it reads the whole table while nobody may write: add it as "not valid", and validate it in a later file of its own'

function adviceOnChange({ subtype, def }: Node, kind: Migration['kind']): string[] {
  switch (subtype) {
    case 'AT_AddColumn':
      return adviceOnColumn(def.ColumnDef)
    case 'AT_AddConstraint': {
      const { contype, skip_validation: isLater, indexname } = def.Constraint
      if (['CONSTR_UNIQUE', 'CONSTR_PRIMARY', 'CONSTR_EXCLUSION'].includes(contype)) {
        return indexname === undefined
          ? ['build the index concurrently first, and add the constraint "using index"']
          : []
      }
      return isLater ? [] : [scans]
    }
    case 'AT_SetNotNull':
      return [
        'it reads the whole table: add a check "is not null" as "not valid", validate it in a later file, and then say so',
      ]
    case 'AT_AlterColumnType':
      return ['it may write the table anew: add a column, fill it in batches, and drop the old one in a later version']
    case 'AT_SetLogged':
    case 'AT_SetUnLogged':
      return ['it writes the table anew']
    case 'AT_DropColumn':
      return kind === 'contract'
        ? []
        : ['older processes may use it: drop it in a file that begins with "-- migration: contract"']
    default:
      return []
  }
}

/** Functions of which PostgreSQL computes one value for all rows that are there. */
const steady = new Set(['now', 'statement_timestamp', 'transaction_timestamp'])

function adviceOnColumn({ constraints = [] }: Node): string[] {
  const all = (constraints as Node[]).map(({ Constraint }) => Constraint)
  const value = all.find(({ contype }) => contype === 'CONSTR_DEFAULT')?.raw_expr
  return all.flatMap(({ contype }) => {
    switch (contype) {
      case 'CONSTR_NOTNULL':
        return value === undefined ? ['rows that are there have no value: give it a default'] : []
      case 'CONSTR_DEFAULT':
        return callsIn(value).every((called) => steady.has(called))
          ? []
          : ['its default is computed for each row, which writes the table anew']
      case 'CONSTR_GENERATED':
      case 'CONSTR_IDENTITY':
        return ['it is computed for each row, which writes the table anew']
      case 'CONSTR_UNIQUE':
      case 'CONSTR_PRIMARY':
        return ['build the index concurrently first, and add the constraint "using index"']
      case 'CONSTR_CHECK':
        return [scans]
      default:
        return []
    }
  })
}

/** The names of all functions that an expression calls. */
function callsIn(expression: Node): string[] {
  if (Array.isArray(expression)) return expression.flatMap(callsIn)
  if (typeof expression !== 'object' || expression === null) return []
  const own = expression.FuncCall?.funcname.at(-1).String.sval
  return [...(own === undefined ? [] : [own]), ...Object.values(expression).flatMap(callsIn)]
}
