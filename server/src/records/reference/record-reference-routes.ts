import type { FastifyInstance } from 'fastify'
import { serveReference } from '../../reference/index.ts'
import type { MethodDeclaration } from '../protocol/index.ts'
import type { RecordDefinition } from '../record-definition.ts'
import { buildRecordOpenApi } from './record-openapi.ts'
import { methodPage, pageName, recordIndexPage, recordPage } from './record-pages.ts'

const htmlType = 'text/html; charset=utf-8'

/**
 * The documents of the Resource and Method API, which need no credentials: all types and methods at `/docs/records`, a page for each
 * below `/docs/records/` and `/docs/methods/`, and the OpenAPI document at `/docs/records/openapi.json`.
 */
export function addRecordReferenceRoutes(
  app: FastifyInstance,
  { publicUrl }: { publicUrl: string },
  definitions: readonly RecordDefinition[],
  methods: readonly MethodDeclaration[],
): void {
  const types = definitions.map(({ type }) => type)
  const known = new Set(types.map(({ name }) => name))
  const openApi = () => JSON.stringify(buildRecordOpenApi(publicUrl, types, methods))
  serveReference(app, '/docs/records', htmlType, () => recordIndexPage(definitions, methods))
  serveReference(app, '/docs/records/openapi.json', 'application/json; charset=utf-8', openApi)
  for (const definition of definitions) {
    serveReference(app, `/docs/records/${pageName(definition.type)}`, htmlType, () => recordPage(definition, known))
  }
  for (const method of methods) {
    serveReference(app, `/docs/methods/${method.path}`, htmlType, () => methodPage(method))
  }
}
