/** The name of the file or object, beside the folders of files, that tells to which installation they belong. */
export const ownerName = 'installation.json'

/** What stands in it. */
export function describeOwner(installationId: string): string {
  return `${JSON.stringify({ installation: installationId })}\n`
}

/** The id of the installation that it names; of one that cannot be read, an empty text, which is nobody's id. */
export function parseOwner(text: string): string {
  try {
    const { installation } = JSON.parse(text) as { readonly installation?: unknown }
    return typeof installation === 'string' ? installation : ''
  } catch {
    return ''
  }
}
