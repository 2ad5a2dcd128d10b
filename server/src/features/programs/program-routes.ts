import { customFieldResources, Program, programOperations } from '@matricula/contract'
import { readOne } from '../../entities/index.ts'
import { implement } from '../../http/index.ts'
import { readPage } from '../../listing/index.ts'
import { showCustomFields } from '../../record-engine/index.ts'
import { programs } from './program-store.ts'

export const programRoutes = showCustomFields(
  customFieldResources.programs,
  Program,
  implement(programOperations, {
    listPrograms: (database, { context, query }) => readPage(database, context.tenant.id, programs, query),
    getProgram: (database, { context, params }) => readOne(database, context.tenant.id, programs, params.id),
  }),
)
