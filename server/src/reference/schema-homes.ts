import { addressOfTag } from './navigation.ts'
import type { OpenApiDocument } from './openapi-parts.ts'

/** The maximum resources that use a record before it moves to the page of shared records. */
const maxResources = 3

/** The page that describes each record and body: that of the first resource that uses it, or the shared one. */
export class SchemaHomes {
  readonly #homes = new Map<string, string | null>()

  constructor({ tags, paths, components, webhooks }: OpenApiDocument) {
    const users = new Map<string, string[]>(Object.keys(components.schemas).map((name) => [name, []]))
    const use = (part: unknown, tag: string, seen: Set<string>) => {
      for (const name of namesIn(part)) {
        if (seen.has(name)) continue
        seen.add(name)
        users.get(name)?.push(tag)
        use(components.schemas[name], tag, seen)
      }
    }
    for (const { name: tag } of tags) {
      const operations = Object.values(paths).flatMap((item) => Object.values(item))
      use(
        [operations.filter((operation) => operation.tags.includes(tag)), tag === 'Webhooks' && webhooks],
        tag,
        new Set(),
      )
    }
    for (const [name, ofTags] of users) {
      this.#homes.set(name, ofTags.length > maxResources ? null : (ofTags[0] ?? null))
    }
  }

  getAddress(name: string): string {
    const tag = this.#homes.get(name) ?? null
    return `${tag === null ? '/docs/conventions' : addressOfTag(tag)}#schema-${name}`
  }

  /** The schemas on the page of a resource. */
  ofTag(tag: string): string[] {
    return [...this.#homes].filter(([, home]) => home === tag).map(([name]) => name)
  }

  /** The shared schemas. */
  shared(): string[] {
    return [...this.#homes].filter(([, home]) => home === null).map(([name]) => name)
  }
}

/** The names of the schemas that a part of a document refers to. */
function namesIn(part: unknown): string[] {
  return [...JSON.stringify(part ?? null).matchAll(/"\$ref":"#\/components\/schemas\/(\w+)"/g)].map(
    ([, name]) => name as string,
  )
}
