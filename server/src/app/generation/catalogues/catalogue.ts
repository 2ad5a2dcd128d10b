import { readFileSync } from 'node:fs'

/** A catalogue of messages as its file has it: messages by key, in groups. */
export interface Catalogue {
  readonly [key: string]: string | Catalogue
}

/** The root of the repository. */
export const root = new URL('../../../../../', import.meta.url)

/**
 * Reads a catalogue.
 *
 * @param path From the root of the repository, such as `console/messages/board`.
 */
export function readCatalogue(path: string, language: string): Catalogue {
  return JSON.parse(readFileSync(new URL(`${path}.${language}.json`, root), 'utf8'))
}

/** The messages of a catalogue by their keys, joined by dots where they stand in groups. */
export function flatten(catalogue: Catalogue, group = ''): [string, string][] {
  return Object.entries(catalogue).flatMap(([key, value]): [string, string][] =>
    typeof value === 'string' ? [[`${group}${key}`, value]] : flatten(value, `${group}${key}.`),
  )
}
