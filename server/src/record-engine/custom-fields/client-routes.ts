import type { JsonObject, TSchema } from '@matricula/contract'
import type { Database, Transaction } from '../../database/index.ts'
import type { Versioned } from '../../entities/index.ts'
import { Problem } from '../../errors/index.ts'
import type { OperationRequest, PlainHandler, PreparedWrite, Route } from '../../http/index.ts'
import type { Page } from '../../listing/index.ts'
import type { AddedFields } from '../../tenancy/custom-fields/index.ts'
import { shownCustomFields } from './client-values.ts'

interface WithCustomFields {
  readonly customFields?: JsonObject
}

/**
 * The operations of a resource with the custom fields of their records as the institution has defined them for a type. Where it
 * has defined none, answers are as the handlers give them.
 */
export function showCustomFields(recordType: string, record: TSchema, routes: Route[]): Route[] {
  return routes.map((route) => {
    const { handler, operation } = route
    if (operation.record !== record || 'wait' in handler) return route
    return {
      ...route,
      handler: typeof handler === 'function' ? showing(recordType, handler) : preparedShowing(recordType, handler),
    }
  })
}

function showing(recordType: string, handler: PlainHandler): PlainHandler {
  return (access: Database | Transaction, request: OperationRequest) => {
    const { timeZone, customFields } = request.context.tenant
    const fields = customFields.get(recordType)
    const answered = handler(access, request)
    return fields === undefined ? answered : answered.then((response) => shownAnswer(fields, response, timeZone))
  }
}

/** The same of a write that is prepared, whether a transaction answers it or the preparation. */
function preparedShowing(recordType: string, handler: PreparedWrite): PreparedWrite {
  return {
    ...handler,
    prepare: async (database, request) => {
      const { timeZone, customFields } = request.context.tenant
      const fields = customFields.get(recordType)
      const prepared = await handler.prepare(database, request)
      if (fields === undefined) return prepared
      const shown = (response: unknown) => shownAnswer(fields, response, timeZone) as never
      return typeof prepared === 'function'
        ? async (tx) => shown(await prepared(tx))
        : { response: shown(prepared.response) }
    },
  }
}

function shownAnswer(fields: AddedFields, response: unknown, timeZone: string): unknown {
  if (response instanceof Problem) return response
  const shown = (record: WithCustomFields) => ({
    ...record,
    customFields: shownCustomFields(fields, record.customFields ?? {}, timeZone),
  })
  if ('record' in (response as object)) {
    const versioned = response as Versioned<WithCustomFields>
    return { ...versioned, record: shown(versioned.record) }
  }
  const page = response as Page<WithCustomFields>
  const { records } = page
  return { ...page, records: Array.isArray(records) ? records.map(shown) : mapped(records, shown) }
}

/** The same batches, each record as something else; whoever stops reading ends the reading. */
async function* mapped<Item, Shown>(
  batches: AsyncGenerator<Item[], void, void>,
  show: (item: Item) => Shown,
): AsyncGenerator<Shown[], void, void> {
  for await (const records of batches) yield records.map(show)
}
