import type { RecordType, Right } from '@matricula/contract/record-types'
import { isCalendarDate } from '../../http/index.ts'
import type { Caller, Reading, RecordEngine } from '../../record-engine/index.ts'
import { RecordError } from '../../record-engine/index.ts'
import type { SchemaObject } from '../../reference/index.ts'
import { parseDecimal } from '../../values/index.ts'
import type { Arguments, FileStorage } from './call.ts'
import { parseJson } from './json-values.ts'
import type { SentFile } from './request-arguments.ts'

/** The parameter types, with the value that a method gets. */
interface ParameterValues {
  string: string
  /** Also as text, as queries and forms have it. */
  integer: number
  number: number
  boolean: boolean
  /** An object or an array, also as the text of one. */
  json: object
  /** `YYYY-MM-DD`. */
  date: string
  /** Unchanged: for parameters that take a text or a structure. */
  any: unknown
}

/** A parameter of a method. */
export interface Parameter {
  readonly type: keyof ParameterValues
  readonly required?: true
  /** Description, in one sentence, where the name is not enough. */
  readonly about?: string
}

export type Parameters = Readonly<Record<string, Parameter>>

type ArgumentsOf<Of extends Parameters> = {
  readonly [Name in keyof Of]: Of[Name] extends { required: true }
    ? ParameterValues[Of[Name]['type']]
    : ParameterValues[Of[Name]['type']] | null
}

/** The HTTP methods of a call. HEAD counts as GET. */
export type Verb = 'GET' | 'POST' | 'PUT' | 'DELETE' | 'PATCH'

/** A right over the records of a type that a method needs. */
export interface RightOver {
  readonly type: RecordType
  readonly right: Right
  /**
   * Whether the right must be to all records of the type, because the method reveals records of everybody. Otherwise a
   * right to some records is enough, and the method is limited to these.
   */
  readonly all?: true
}

/**
 * The rights that a method needs. A list is checked before the method runs; every right in it is needed.
 *
 * - `of the argument`: the type is named by an argument, and the method asks the engine for the right to it.
 * - `own records`: the method reveals what is about the caller, or about its wards, whatever types its roles let it
 *   read; for others it checks rights with the engine.
 * - `public`: it reveals no record.
 */
export type MethodRights = readonly [RightOver, ...RightOver[]] | 'of the argument' | 'own records' | 'public'

/**
 * The declaration of a method that clients call by its dotted path. Its arguments are validated before it runs;
 * undeclared ones are dropped.
 */
export interface MethodDeclaration {
  readonly path: string
  /** Its purpose, in one sentence. */
  readonly summary: string
  readonly rights: MethodRights
  /** The type under which a method with `own records` logs disclosures; by default that of the person. */
  readonly about?: string
  /** Any verb by default. */
  readonly verbs?: readonly Verb[]
  /** Whether unauthenticated callers may call it. */
  readonly allowGuest?: true
  /**
   * Whether callers who are only students or guardians may call it: it reads and changes only what such a caller may.
   * Guardians need GET among its verbs, since they have read access only.
   */
  readonly isForStudents?: true
  readonly parameters: Parameters
  /** Whether it may run for many seconds: it then runs in the partition for long work. */
  readonly takesLong?: true
  /** Whether a call with GET is committed too; elsewhere it changes nothing. */
  readonly actsByGet?: true
  /** The JSON Schema (2020-12) of the result; any value by default. */
  readonly result?: SchemaObject
  /** The media type of the file that it may return instead. */
  readonly fileType?: string
}

/** A method that runs in one transaction, which a call with GET never commits. */
export interface RecordMethod extends MethodDeclaration {
  run(engine: RecordEngine, args: Arguments): Promise<unknown>
}

/** A method that reads with single statements, which need no transaction around them. */
export interface ReadingMethod extends MethodDeclaration {
  read(reading: Reading, args: Arguments): Promise<unknown>
}

/**
 * A method with slow work outside of transactions, such as storing a file: it opens transactions one after the other,
 * and does the rest between them.
 */
export interface StagedMethod extends MethodDeclaration {
  runInStages(call: StagedCall, args: Arguments): Promise<unknown>
}

/** The context of a staged method. */
export interface StagedCall {
  readonly caller: Caller
  /** Reads outside of transactions. */
  readonly reading: Reading
  readonly storage: FileStorage
  /** The uploaded files of a form, by field. */
  readonly files: Readonly<Record<string, SentFile>>
  /** Runs work in a transaction, which is never committed for GET. */
  transaction<Result>(run: (engine: RecordEngine) => Promise<Result>): Promise<Result>
}

/** A method of any kind. */
export type AnyMethod = RecordMethod | ReadingMethod | StagedMethod

/** Declares a method that only reads; its arguments are typed by its parameters. */
export function readingMethod<const Of extends Parameters>(
  method: Omit<ReadingMethod, 'parameters' | 'read'> & {
    readonly parameters: Of
    read(reading: Reading, args: ArgumentsOf<Of>): Promise<unknown>
  },
): ReadingMethod {
  return method as unknown as ReadingMethod
}

/** Declares a staged method; its arguments are typed by its parameters. */
export function stagedMethod<const Of extends Parameters>(
  method: Omit<StagedMethod, 'parameters' | 'runInStages'> & {
    readonly parameters: Of
    runInStages(call: StagedCall, args: ArgumentsOf<Of>): Promise<unknown>
  },
): StagedMethod {
  return method as unknown as StagedMethod
}

/** Declares a method; its arguments are typed by its parameters. */
export function recordMethod<const Of extends Parameters>(
  method: Omit<RecordMethod, 'parameters' | 'run'> & {
    readonly parameters: Of
    run(engine: RecordEngine, args: ArgumentsOf<Of>): Promise<unknown>
  },
): RecordMethod {
  return method as unknown as RecordMethod
}

/**
 * Validates the arguments of a method; those not sent are null. Throws `FrappeTypeError` for the first that is missing
 * or of another type.
 */
export function validArguments(method: MethodDeclaration, args: Arguments): Arguments {
  return Object.fromEntries(
    Object.entries(method.parameters).map(([name, { type, required }]) => {
      const sent = Object.hasOwn(args, name) ? args[name] : null
      const value =
        sent === undefined || sent === null || (sent === '' && type !== 'string') ? null : read(name, type, sent)
      if (value !== null || !required) return [name, value]
      throw new RecordError('FrappeTypeError', `The argument ${name} is missing: ${method.path} needs it.`)
    }),
  )
}

const toText: Readonly<Record<Parameter['type'], string>> = {
  string: 'a text',
  integer: 'a whole number',
  number: 'a number',
  boolean: 'true or false (or 1 or 0)',
  json: 'a JSON object or array, or the text of one',
  date: 'a date, YYYY-MM-DD',
  any: 'a value',
}

function read(name: string, type: Parameter['type'], sent: unknown): unknown {
  const value = readers[type](sent, name)
  if (value !== undefined) return value
  // A text or JSON may hold anything, a password too; what is short and plain helps whoever sent it.
  const isPlain = type !== 'string' && typeof sent !== 'object' && type !== 'json'
  const text = isPlain ? `, not ${JSON.stringify(sent).slice(0, 60)}` : ''
  throw new RecordError('FrappeTypeError', `The argument ${name} must be ${toText[type]}${text}.`)
}

/** Parsers by type; each returns undefined for an invalid value. */
const readers: Readonly<Record<Parameter['type'], (sent: unknown, name: string) => unknown>> = {
  string: (sent) => (typeof sent === 'string' ? sent : undefined),
  integer: (sent) => {
    const value = typeof sent === 'boolean' ? Number(sent) : findNumber(sent)
    return value !== undefined && Number.isSafeInteger(value) ? value : undefined
  },
  number: findNumber,
  boolean: (sent) => {
    const isTrue = sent === true || sent === 1 || sent === '1' || sent === 'true' || sent === 'True'
    const isFalse = sent === false || sent === 0 || sent === '0' || sent === 'false' || sent === 'False'
    return isTrue || (isFalse ? false : undefined)
  },
  json: (sent, name) => {
    const value = typeof sent === 'string' ? parseJson(sent, `The argument ${name}`) : sent
    return typeof value === 'object' && value !== null ? value : undefined
  },
  date: (sent) => (typeof sent === 'string' && isCalendarDate(sent) ? sent : undefined),
  any: (sent) => sent,
}

function findNumber(sent: unknown): number | undefined {
  if (typeof sent === 'number') return Number.isFinite(sent) ? sent : undefined
  return typeof sent === 'string' ? parseDecimal(sent) : undefined
}

/** Methods by path. Throws for a duplicate. */
export function methodsByPath(methods: readonly AnyMethod[]): ReadonlyMap<string, AnyMethod> {
  const byPath = new Map(methods.map((method) => [method.path, method]))
  if (byPath.size === methods.length) return byPath
  const twice = methods.find((method) => byPath.get(method.path) !== method)
  throw new Error(`two methods have the path ${twice?.path}`)
}
