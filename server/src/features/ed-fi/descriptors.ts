/** A value of a vocabulary of Ed-Fi, as its address. */
function descriptor(vocabulary: string, value: string): string {
  return `uri://ed-fi.org/${vocabulary}Descriptor#${value}`
}

const sexes: Readonly<Record<string, string>> = { male: 'Male', m: 'Male', female: 'Female', f: 'Female' }

/** The sex of a gender; null where Ed-Fi has none for it. */
export function toSex(gender: string | null): string | null {
  const text = (gender ?? '').toLowerCase()
  const value = /^non-?binary$/.test(text) ? 'Non-binary' : sexes[text]
  return value === undefined ? null : descriptor('Sex', value)
}

const relations = [
  ...['Aunt', 'Brother', 'BrotherInLaw', 'CourtAppointedGuardian', 'Cousin', 'Father, step', 'Father', 'Foster parent'],
  ...['Friend', 'Godparent', 'Grandfather', 'Grandmother', 'Grandparent', 'Great Grandparent', 'Great aunt'],
  ...['Great uncle', 'Husband', 'Mother, step', 'Mother', 'Neighbor', 'Nephew', 'Niece', 'Parent, step', 'Parent'],
  ...['Relative', 'Sibling', 'Sister', 'SisterInLaw', 'Spouse', 'Uncle', 'Wife'],
]
const plain = (text: string) => text.toLowerCase().replace(/[^a-z]/g, '')
const relationByText: ReadonlyMap<string, string> = new Map([
  ...relations.map((each) => [plain(each), each] as const),
  ['stepfather', 'Father, step'],
  ['stepmother', 'Mother, step'],
])

/** How a contact is related to a student, by the label of the link; null where it has none. */
export function toRelation(label: string | null): string | null {
  if (label === null || label === '') return null
  return descriptor('Relation', relationByText.get(plain(label)) ?? 'Other')
}

const ordinals = [
  ...['First', 'Second', 'Third', 'Fourth', 'Fifth', 'Sixth', 'Seventh', 'Eighth', 'Ninth', 'Tenth', 'Eleventh'],
  'Twelfth',
]

/** The grade level of a program by its name, such as `Grade 9`, `9th grade` or `Ninth grade`; `Other` where it says none. */
export function toGradeLevel(program: string | null): string {
  const text = (program ?? '').toLowerCase()
  const number = /\bgrade (\d{1,2})\b|\b(\d{1,2})(?:st|nd|rd|th) grade\b/.exec(text)
  const index = number === null ? ordinals.findIndex((each) => text.includes(`${each.toLowerCase()} grade`)) : -1
  const ordinal = ordinals[number === null ? index : Number(number[1] ?? number[2]) - 1]
  if (ordinal !== undefined) return descriptor('GradeLevel', `${ordinal} grade`)
  if (/\bpre-?k(?:indergarten)?\b/.test(text)) return descriptor('GradeLevel', 'Prekindergarten')
  return descriptor('GradeLevel', text.includes('kindergarten') ? 'Kindergarten' : 'Other')
}

const entries: Readonly<Record<string, string>> = {
  New: 'New to education system',
  'Re-entry': 'Re-entry',
  Promotion: 'Next year school',
  Retention: 'Next year school',
  'Transfer In': 'Transfer',
}

/** How a student entered, by the code of the enrolment history. */
export function toEntryType(code: string | null): string | null {
  return code === null ? null : descriptor('EntryType', entries[code] ?? 'Other')
}

const exits: Readonly<Record<string, string>> = {
  Promotion: 'End of school year',
  Retention: 'End of school year',
  Graduation: 'Graduated',
  'Transfer Out': 'Transferred',
  Withdrawal: 'Withdrawn',
  Expulsion: 'Expelled',
  Death: 'Died or is permanently incapacitated',
  'Enrollment Cancelled': 'Invalid enrollment',
}

/** How a student left, by the code of the enrolment history. */
export function toExitType(code: string | null): string | null {
  return code === null || code === '' ? null : descriptor('ExitWithdrawType', exits[code] ?? 'Other')
}

/** What a mark of attendance is to Ed-Fi. */
export function toAttendanceCategory(mark: {
  readonly status: string
  readonly is_excused: boolean
  readonly is_late: boolean
  readonly is_half_day: boolean
}): string {
  const value =
    mark.status === 'Leave' || (mark.status === 'Absent' && mark.is_excused)
      ? 'Excused Absence'
      : mark.status === 'Absent'
        ? 'Unexcused Absence'
        : mark.is_late
          ? 'Tardy'
          : mark.is_half_day
            ? 'Partial'
            : 'In Attendance'
  return descriptor('AttendanceEventCategory', value)
}

export const homeMail = descriptor('ElectronicMailType', 'Home/Personal')
export const schoolMail = descriptor('ElectronicMailType', 'Organization')
export const mobilePhone = descriptor('TelephoneNumberType', 'Mobile')
export const otherPhone = descriptor('TelephoneNumberType', 'Other')
