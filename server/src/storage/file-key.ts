const uuid = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}'
const form = new RegExp(`^${uuid}/${uuid}$`)

/**
 * The key of a file: the tenant's id, then the file's own, such as that of a version. Lower-case UUIDs only, so that a
 * key can name nothing but a file of its tenant, in a folder or in a bucket.
 *
 * @throws TypeError when an id is not a UUID in lower case.
 */
export function fileKey(tenantId: string, fileId: string): string {
  return requireFileKey(`${tenantId}/${fileId}`)
}

/** The same key. Throws a TypeError when a text is not one. */
export function requireFileKey(key: string): string {
  if (!isFileKey(key)) throw new TypeError('a file key is two lower-case UUIDs with a slash between them')
  return key
}

export function isFileKey(text: string): boolean {
  return form.test(text)
}
