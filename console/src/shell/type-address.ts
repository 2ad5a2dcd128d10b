/** A record type as it stands in an address: `Student Applicant` is `student-applicant`. */
export function getSlug(type: string): string {
  return type.toLowerCase().replaceAll(' ', '-')
}

/** The type that an address means, among some. */
export function typeAt(slug: string, types: Iterable<string>): string | null {
  for (const type of types) if (getSlug(type) === slug) return type
  return null
}
