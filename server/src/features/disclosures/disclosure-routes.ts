import { disclosureOperations } from '@matricula/contract'
import { implement } from '../../http/index.ts'
import { readDisclosures } from './disclosure-entries.ts'

export const disclosureRoutes = implement(disclosureOperations, {
  listDisclosures: (database, { context, query }) => readDisclosures(database, context.tenant.id, query),
})
