/** Quotes of PostgreSQL, comments, and the end of a statement (PostgreSQL manual, "Lexical Structure"). */
const parts = /'(?:[^']|'')*'|"(?:[^"]|"")*"|--[^\n]*|\/\*[\s\S]*?\*\/|\$(\w*)\$[\s\S]*?\$\1\$|;/g

/** The statements of a text of SQL, each without its end. Comments before a statement are left out. */
export function splitStatements(text: string): string[] {
  const statements: string[] = []
  let begin = 0
  for (const match of text.matchAll(parts)) {
    if (match[0] !== ';') continue
    statements.push(text.slice(begin, match.index))
    begin = match.index + 1
  }
  statements.push(text.slice(begin))
  return statements
    .map((each) => each.replace(/^(\s+|--[^\n]*\n|\/\*[\s\S]*?\*\/)+/, '').trim())
    .filter((each) => each !== '')
}
