import type { RecordDefinition } from '../../record-engine/index.ts'
import { htmlType, type SearchEntry, type ServedDocuments } from '../../reference/index.ts'
import type { MethodDeclaration } from '../protocol/record-method.ts'
import { buildRecordOpenApi } from './record-openapi.ts'
import { methodIndexPage, methodPage, pageName, recordIndexPage, recordPage } from './record-pages.ts'

/**
 * The documents of the Resource and Method API, which need no credentials: all types at `/docs/records` and all methods
 * at `/docs/methods`, a page for each below, and the OpenAPI document at `/docs/records/openapi.json`.
 */
export function addRecordReferenceRoutes(
  documents: ServedDocuments,
  { publicUrl }: { publicUrl: string },
  definitions: readonly RecordDefinition[],
  methods: readonly MethodDeclaration[],
): void {
  const types = definitions.map(({ type }) => type)
  const known = new Set(types.map(({ name }) => name))
  const openApi = () => JSON.stringify(buildRecordOpenApi(publicUrl, types, methods))
  documents.serve('/docs/records', htmlType, () => recordIndexPage(definitions))
  documents.serve('/docs/methods', htmlType, () => methodIndexPage(methods))
  documents.serve('/docs/records/openapi.json', 'application/json; charset=utf-8', openApi)
  for (const definition of definitions) {
    const { type } = definition
    const entry: SearchEntry = { title: type.name, kind: 'Record type', address: `/docs/records/${pageName(type)}` }
    documents.serve(
      entry.address,
      htmlType,
      () => recordPage(definition, known, publicUrl),
      () => [entry],
    )
  }
  for (const method of methods) {
    const entry: SearchEntry = { title: method.path, kind: 'Method', address: `/docs/methods/${method.path}` }
    documents.serve(
      entry.address,
      htmlType,
      () => methodPage(method, publicUrl),
      () => [entry],
    )
  }
}
