import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import { fileURLToPath } from 'node:url'
import { parse } from 'csv-parse/sync'

/** The files of the district as they came. */
export const district = fileURLToPath(new URL('../../data/', import.meta.url))

export type CsvRow = Record<string, string>

/** The rows of a file, read without the program's own reader. */
export async function csvRows(folder: string, file: string): Promise<CsvRow[]> {
  return parse(await readFile(join(folder, file)), { columns: true })
}

/** A folder of files that is removed after the tests. */
async function aFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'sync-district-'))
  after(() => rm(folder, { recursive: true, force: true }))
  return folder
}

/** A copy of the whole district, to edit. */
export async function copyOfDistrict(): Promise<string> {
  const folder = await aFolder()
  await cp(district, folder, { recursive: true })
  return folder
}

/** A copy of the district with every so manieth student who has attendance, and the others left out. */
export async function partOfDistrict(every: number): Promise<string> {
  const folder = await copyOfDistrict()
  const events = await csvRows(district, 'attendance.csv')
  const ids = [...new Set(events.map(({ student_id: id }) => id as string))].filter((_, index) => index % every === 0)
  for (const file of ['students.csv', 'student_contacts.csv', 'attendance.csv']) {
    const [header, ...lines] = (await readFile(join(district, file), 'utf8')).split('\n')
    const stored = lines.filter((line) => ids.includes(line.slice(0, line.indexOf(','))))
    await writeFile(join(folder, file), [header, ...stored, ''].join('\n'))
  }
  return folder
}

const headers = {
  students: 'student_id,title,first_name,middle_name,last_surname,generation_suffix,preferred_first_name,birth_date',
  contacts: 'contact_id,first_name,middle_name,last_surname,sex,telephone,email,street,city,state,postal_code',
  student_contacts: 'student_id,contact_id,relation,primary_contact,lives_with,emergency_contact',
  sessions: 'session_name,school_year,term,begin_date,end_date,school_id',
  attendance: 'student_id,date,category,reason,school_id,session_name',
  courses: 'course_code,title,academic_subject,school_id',
  staff: 'staff_id,first_name,middle_name,last_surname,sex,birth_date,email',
  sections: 'section_id,course_code,school_id,session_name,classroom,class_period,section_name',
  staff_sections: 'staff_id,section_id,position,begin_date,end_date',
}

/** A district of a few rows; the term is the one that the program takes unless told otherwise. */
export async function aDistrict(rows: Partial<Record<keyof typeof headers, string[]>>): Promise<string> {
  const folder = await aFolder()
  const sessions = ['2021-2022 Fall Semester,2021-2022,Fall Semester,2021-08-23,2021-12-17,1']
  for (const [name, header] of Object.entries(headers)) {
    const lines = { sessions, ...rows }[name as keyof typeof headers] ?? []
    await writeFile(join(folder, `${name}.csv`), [header, ...lines, ''].join('\n'))
  }
  return folder
}

/** Replaces text of a file, which must be there, exactly once. */
export async function edit(folder: string, file: string, from: string, to: string): Promise<void> {
  const path = join(folder, file)
  const parts = (await readFile(path, 'utf8')).split(from)
  if (parts.length !== 2) throw new Error(`${file} has ${parts.length - 1} times: ${from}`)
  await writeFile(path, parts.join(to))
}
