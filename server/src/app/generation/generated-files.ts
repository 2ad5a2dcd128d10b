import { buildOpenApi } from '@matricula/contract'
import { catalogueModules } from './catalogues/modules.ts'
import { importGuide } from './import-headings.ts'
import { permissionsDocument } from './permissions-document.ts'

/** A file of the repository that is made from the declarations. */
export interface GeneratedFile {
  readonly location: URL
  readonly content: string
}

const root = new URL('../../../../', import.meta.url)

/** The address that stands for any deployment in files that belong to none. */
const anyDeployment = 'https://matricula.example'

/** Every file of the repository that is made from the declarations, as it must read. */
export function generatedFiles(): GeneratedFile[] {
  const document = buildOpenApi({ publicUrl: anyDeployment })
  const guide = new URL('docs/importing.md', root)
  return [
    { location: guide, content: importGuide(guide) },
    { location: new URL('docs/reference/openapi.json', root), content: `${JSON.stringify(document, null, 2)}\n` },
    { location: new URL('docs/reference/permissions.md', root), content: permissionsDocument() },
    ...catalogueModules(),
  ]
}
