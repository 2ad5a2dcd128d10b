import type { CatalogueProgram } from '../catalogue/index.ts'

/** A department of the institution, and the beginnings of the codes of programs and courses that belong to it. */
interface DemoDepartment {
  readonly name: string
  readonly codes: readonly string[]
}

/** Where everything belongs that no department claims. */
export const administration = 'Administration'

export const demoDepartments: readonly DemoDepartment[] = [
  { name: 'Early Years and Primary', codes: ['EYP', 'PRI'] },
  { name: 'Lower Secondary', codes: ['LSE', 'GEN'] },
  { name: 'Upper Secondary', codes: ['USE', 'USS', 'USH'] },
  { name: 'Vocational Training', codes: ['ELT', 'CUL', 'TOU', 'OFA', 'VOC'] },
  { name: 'Health Sciences', codes: ['NUR'] },
  { name: 'Computing and Data', codes: ['SWE', 'MDS', 'UNI', 'GRA'] },
  { name: 'Business and Management', codes: ['BUS', 'MBA'] },
]

/** The department of a program or a course with a code. */
export function getDepartment(code: string): string {
  return demoDepartments.find(({ codes }) => codes.includes(code.slice(0, 3)))?.name ?? administration
}

/** A program's name with its year and the letter of its group, such as `Nursing A 2026-2027`. */
export function groupName({ name }: CatalogueProgram, letter: string, year: string): string {
  return `${name} ${letter} ${year}`
}
