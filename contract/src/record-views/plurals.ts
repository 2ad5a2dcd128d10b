/** What several records are called, where no rule makes it of the name of the type. */
const plurals: Readonly<Record<string, string>> = {
  'Assessment Criteria': 'Assessment Criteria',
  Fees: 'Fees',
  Quiz: 'Quizzes',
  'Student Attendance': 'Student Attendance',
  'Student Batch Name': 'Student Batches',
  ToDo: 'To-dos',
}

/** What several records of a type are called. Settings, of which there is one record, are called as they are. */
export function pluralOf(type: string): string {
  if (type.endsWith('Settings')) return type
  const named = Object.hasOwn(plurals, type) ? plurals[type] : undefined
  return named ?? (/[^aeiou]y$/.test(type) ? type.replace(/y$/, 'ies') : `${type}s`)
}
