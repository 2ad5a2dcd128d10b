/** What ends what begins so: a quote, a comment (PostgreSQL manual, "Lexical Structure"). A doubled quote is two quotes. */
const ends: Readonly<Record<string, string>> = { "'": "'", '"': '"', '--': '\n', '/*': '*/' }

/** Where a text goes on behind what begins at a place: behind a quote, a comment or a text in dollars, else behind its character. */
function behind(text: string, place: number): number {
  const [dollars] = /^\$\w*\$/.exec(text.slice(place, place + 64)) ?? []
  const start = dollars ?? [text.slice(place, place + 2), text.charAt(place)].find((each) => each in ends)
  if (start === undefined) return place + 1
  const end = dollars ?? (ends[start] as string)
  const found = text.indexOf(end, place + start.length)
  return found < 0 ? text.length : found + end.length
}

/** The statements of a text of SQL, each without its end. Comments before a statement are left out. */
export function splitStatements(text: string): string[] {
  const statements: string[] = []
  let begin = 0
  for (let place = 0; place < text.length; place = behind(text, place)) {
    if (text.charAt(place) !== ';') continue
    statements.push(text.slice(begin, place))
    begin = place + 1
  }
  statements.push(text.slice(begin))
  return statements
    .map((each) => each.replace(/^(\s+|--[^\n]*\n|\/\*[\s\S]*?\*\/)+/, '').trim())
    .filter((each) => each !== '')
}
