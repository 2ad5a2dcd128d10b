import { consoleModules } from './console-modules.ts'
import type { CatalogueModule } from './literal.ts'
import { pageModules } from './page-modules.ts'

/** Every module that is made of message catalogues. */
export function catalogueModules(): CatalogueModule[] {
  return [...consoleModules(), ...pageModules()]
}
