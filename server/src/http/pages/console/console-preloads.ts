/** Which files of the build a screen, a record type and a language need beside those of the page, as the build of the console says. */
export interface ConsolePreloads {
  /** The screens by the pattern (source of a `RegExp`) of their paths below the console's root; the first that matches is meant. */
  readonly screens: readonly { readonly path: string; readonly files: readonly string[] }[]
  /** By the type as it stands in an address. */
  readonly types: Readonly<Record<string, readonly string[]>>
  readonly languages: Readonly<Record<string, readonly string[]>>
}

/**
 * Finds the files that the screen of a path will ask for once the page's script runs, with the catalogues of the first language of the
 * browser that the console has.
 */
export function filesFinder({
  screens,
  types,
  languages,
}: ConsolePreloads): (path: string, accepted: string) => string[] {
  const patterns = screens.map(({ path, files }) => ({ pattern: new RegExp(path), files }))
  return (path, accepted) => {
    const screen = patterns.find(({ pattern }) => pattern.test(path))
    if (screen === undefined) return []
    const { type = '' } = screen.pattern.exec(path)?.groups ?? {}
    const tags = accepted.split(',').map((tag) => tag.trim().slice(0, 2).toLowerCase())
    const language = tags.find((tag) => Object.hasOwn(languages, tag)) ?? 'en'
    const ofType = Object.hasOwn(types, type) ? (types[type] ?? []) : []
    return [...new Set([...screen.files, ...ofType, ...(languages[language] ?? [])])]
  }
}
