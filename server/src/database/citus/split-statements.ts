/** What ends what begins so: a quote, a comment (PostgreSQL manual, "Lexical Structure"). A doubled quote is two quotes. */
const ends: Readonly<Record<string, string>> = { "'": "'", '"': '"', '--': '\n', '/*': '*/' }

/** Where a text goes on behind what begins at a place: behind a quote, a comment or a text in dollars, else behind its character. */
function behind(text: string, position: number): number {
  const [dollars] = /^\$\w*\$/.exec(text.slice(position, position + 64)) ?? []
  const start = dollars ?? [text.slice(position, position + 2), text.charAt(position)].find((each) => each in ends)
  if (start === undefined) return position + 1
  const end = dollars ?? (ends[start] as string)
  const found = text.indexOf(end, position + start.length)
  return found < 0 ? text.length : found + end.length
}

/** The statements of a text of SQL, each without its end. Comments before a statement are left out. */
export function splitStatements(text: string): string[] {
  const statements: string[] = []
  let begin = 0
  for (let position = 0; position < text.length; position = behind(text, position)) {
    if (text.charAt(position) !== ';') continue
    statements.push(text.slice(begin, position))
    begin = position + 1
  }
  statements.push(text.slice(begin))
  return statements
    .map((each) => each.replace(/^(\s+|--[^\n]*\n|\/\*[\s\S]*?\*\/)+/, '').trim())
    .filter((each) => each !== '')
}
