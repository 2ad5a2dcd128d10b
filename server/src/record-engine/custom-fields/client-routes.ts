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
 * The routes of a resource, with the custom fields that the institution has defined for a type in each record of their
 * responses.
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
    return fields === undefined ? answered : answered.then((response) => withShownFields(fields, response, timeZone))
  }
}

/** The same for a prepared write, whether the transaction or the preparation returns the response. */
function preparedShowing(recordType: string, handler: PreparedWrite): PreparedWrite {
  return {
    ...handler,
    prepare: async (database, request) => {
      const { timeZone, customFields } = request.context.tenant
      const fields = customFields.get(recordType)
      const prepared = await handler.prepare(database, request)
      if (fields === undefined) return prepared
      const shown = (response: unknown) => withShownFields(fields, response, timeZone) as never
      return typeof prepared === 'function'
        ? async (tx) => shown(await prepared(tx))
        : { response: shown(prepared.response) }
    },
  }
}

function withShownFields(fields: AddedFields, response: unknown, timeZone: string): unknown {
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

/** Maps the records of batches; a consumer that stops early closes the source. */
async function* mapped<Item, Shown>(
  batches: AsyncGenerator<Item[], void, void>,
  show: (item: Item) => Shown,
): AsyncGenerator<Shown[], void, void> {
  for await (const records of batches) yield records.map(show)
}
