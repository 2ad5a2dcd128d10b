import { readFileSync } from 'node:fs'
import { buildConsoleOpenApi, buildOpenApi, type ProblemCode, problems } from '@matricula/contract'
import type { FastifyInstance } from 'fastify'
import { whileUsed } from '../concurrency/index.ts'
import { consoleEntries, consolePage } from './console-page.ts'
import { servedDocuments, servedFiles } from './documents.ts'
import { documentEntries, documentPage, getBytes, guideIndexPage } from './guide-pages.ts'
import { resources } from './navigation.ts'
import { getParts } from './openapi-parts.ts'
import { problemIndexPage, problemPage, unknownProblemPage } from './problem-pages.ts'
import { ReferencePages } from './reference-pages.ts'
import { searchIndex, searchPage } from './search-pages.ts'
import { documentHeaders, htmlType, ServedDocuments } from './served-documents.ts'

const assets = new URL('../../assets/', import.meta.url)
const scriptType = 'text/javascript; charset=utf-8'

/**
 * The public documents: the OpenAPI document at `/v1/openapi.json`, its reference below `/docs`, the guides below
 * `/docs/guides`, and a page for each problem code at `/problems/{code}`. Returns the set of documents, to which other
 * rooms add theirs.
 */
export function addReferenceRoutes(app: FastifyInstance, { publicUrl }: { publicUrl: string }): ServedDocuments {
  const documents = new ServedDocuments(app)
  const client = whileUsed(() => {
    const document = buildOpenApi({ publicUrl })
    return { document, pages: new ReferencePages(getParts(document)) }
  })
  documents.serve('/v1/openapi.json', 'application/json; charset=utf-8', () => JSON.stringify(client().document))
  documents.serve(
    '/docs',
    htmlType,
    () => client().pages.overview(),
    () => client().pages.entries(),
  )
  documents.serve('/docs/conventions', htmlType, () => client().pages.conventions())
  for (const { tag, address } of resources) documents.serve(address, htmlType, () => client().pages.resource(tag))
  const people = () => getParts(buildConsoleOpenApi({ publicUrl }))
  documents.serve(
    '/docs/console',
    htmlType,
    () => consolePage(people()),
    () => consoleEntries(people()),
  )
  documents.serve('/docs/console/openapi.json', 'application/json; charset=utf-8', () =>
    JSON.stringify(buildConsoleOpenApi({ publicUrl })),
  )
  documents.serve('/docs/guides', htmlType, guideIndexPage)
  for (const document of servedDocuments) {
    const entries = () => documentEntries(document)
    documents.serve(document.address, htmlType, () => documentPage(document), entries)
  }
  for (const { file, address, mediaType } of servedFiles) documents.serve(address, mediaType, () => getBytes(file))
  documents.serve('/docs/search', htmlType, () => searchPage(documents.entries()))
  documents.serve('/docs/search-index.js', scriptType, () => searchIndex(documents.entries()))
  for (const [name, mediaType] of [
    ['style.css', 'text/css; charset=utf-8'],
    ['icon.svg', 'image/svg+xml'],
    ['reference.js', scriptType],
  ] as const) {
    documents.serve(`/docs/${name}`, mediaType, () => readFileSync(new URL(name, assets)))
  }
  documents.serve('/problems', htmlType, problemIndexPage)
  for (const code of Object.keys(problems) as ProblemCode[]) {
    const entry = { title: problems[code].title, kind: `Problem ${code}`, address: `/problems/${code}` }
    documents.serve(
      `/problems/${code}`,
      htmlType,
      () => problemPage(code, publicUrl),
      () => [entry],
    )
  }
  for (const path of ['/docs', '/problems', '/docs/guides']) {
    app.get(`${path}/`, (_request, reply) => reply.redirect(`../${path.split('/').at(-1)}`, 308))
  }
  const unknown = unknownProblemPage()
  app.get('/problems/:code', (_request, reply) => reply.code(404).headers(documentHeaders).type(htmlType).send(unknown))
  return documents
}
