import { customFieldResources, Program, programOperations } from '@matricula/contract'
import { implement } from '../../http/implement.ts'
import { readPage } from '../../platform/lists.ts'
import { readOne } from '../../platform/reading.ts'
import { showCustomFields } from '../../records/index.ts'
import { programs } from './program-store.ts'

export const programRoutes = showCustomFields(
  customFieldResources.programs,
  Program,
  implement(programOperations, {
    listPrograms: (database, { context, query }) => readPage(database, context.tenant.id, programs, query),
    getProgram: (database, { context, params }) => readOne(database, context.tenant.id, programs, params.id),
  }),
)
