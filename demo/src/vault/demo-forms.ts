import type { RowOf } from '../copy.ts'
import type { Plan } from '../plan.ts'
import { day, hour, stamp } from '../records/calendar.ts'
import type { DocumentOwner } from './demo-documents.ts'
import { otherLanguages } from './form-texts.ts'
import type { submissionCountsTable, submissionsTable, templatesTable, templateVersionsTable } from './vault-tables.ts'

export interface FormRows {
  readonly templates: RowOf<typeof templatesTable>[]
  readonly versions: RowOf<typeof templateVersionsTable>[]
  readonly submissions: RowOf<typeof submissionsTable>[]
  readonly counts: RowOf<typeof submissionCountsTable>[]
}

interface Question {
  readonly key: string
  readonly label: string
  readonly type: string
  readonly section: string
  readonly isRequired?: boolean
  readonly options?: readonly (readonly [value: string, label: string])[]
  readonly helpText?: string
  readonly validation?: object
  readonly visibleWhen?: object
}

interface Template {
  readonly key: string
  readonly name: string
  readonly description: string
  readonly category: string
  readonly status: 'draft' | 'published' | 'archived'
  readonly entityType: 'student' | 'application' | 'none'
  readonly isPublic: boolean
  readonly sections: readonly (readonly [key: string, title: string])[]
  readonly questions: readonly Question[]
  readonly mapping?: Readonly<Record<string, string>>
  /** What somebody answered, by the keys of the questions. */
  readonly answers?: (owner: DocumentOwner, nth: number) => Readonly<Record<string, unknown>>
}

const yesOrNo = [
  ['yes', 'Yes'],
  ['no', 'No'],
] as const

const templates: readonly Template[] = [
  {
    key: 'admission',
    name: 'Application for admission',
    description: 'Takes about five minutes. You will be asked for a photo or a scan of an identity document.',
    category: 'admissions',
    status: 'published',
    entityType: 'application',
    isPublic: true,
    sections: [
      ['applicant', 'The applicant'],
      ['family', 'The family'],
      ['more', 'Anything else'],
    ],
    questions: [
      {
        key: 'full_name',
        label: 'Full name',
        type: 'text',
        section: 'applicant',
        isRequired: true,
        validation: { maxLength: 120 },
      },
      { key: 'birth', label: 'Date of birth', type: 'date', section: 'applicant', isRequired: true },
      {
        key: 'level',
        label: 'Level applied for',
        type: 'select',
        section: 'applicant',
        isRequired: true,
        options: [
          ['primary', 'Primary school'],
          ['secondary', 'Secondary school'],
          ['university', 'University'],
        ],
      },
      {
        key: 'identity',
        label: 'Identity document',
        type: 'file',
        section: 'applicant',
        helpText: 'A photo or a scan.',
        validation: { documentTypeKey: 'identity_document' },
      },
      { key: 'parent_name', label: 'Name of a parent or guardian', type: 'text', section: 'family', isRequired: true },
      { key: 'parent_email', label: 'E-mail', type: 'email', section: 'family', isRequired: true },
      { key: 'parent_phone', label: 'Telephone', type: 'phone', section: 'family' },
      {
        key: 'bus',
        label: 'Do you need the school bus?',
        type: 'select',
        section: 'more',
        isRequired: true,
        options: yesOrNo,
      },
      {
        key: 'bus_stop',
        label: 'Nearest bus stop',
        type: 'text',
        section: 'more',
        isRequired: true,
        visibleWhen: { field: 'bus', equals: 'yes' },
      },
      {
        key: 'interests',
        label: 'Interests',
        type: 'multiselect',
        section: 'more',
        options: [
          ['music', 'Music'],
          ['sport', 'Sport'],
          ['science', 'Science'],
        ],
      },
      {
        key: 'message',
        label: 'What should we know?',
        type: 'textarea',
        section: 'more',
        validation: { maxLength: 1000 },
      },
      {
        key: 'consent',
        label: 'I agree that the school keeps these data to decide on the application.',
        type: 'checkbox',
        section: 'more',
        isRequired: true,
      },
    ],
    mapping: {
      full_name: 'fullName',
      birth: 'dateOfBirth',
      parent_name: 'contact.displayName',
      parent_email: 'contact.email',
      parent_phone: 'contact.phone',
    },
    answers: ({ name, contact }, nth) => ({
      full_name: name,
      birth: `201${nth % 8}-0${1 + (nth % 9)}-14`,
      level: nth % 2 === 0 ? 'primary' : 'secondary',
      identity: [],
      parent_name: contact.name,
      parent_email: contact.email ?? 'family@example.org',
      parent_phone: null,
      bus: nth % 3 === 0 ? 'yes' : 'no',
      ...(nth % 3 === 0 && { bus_stop: 'Central Station' }),
      interests: nth % 2 === 0 ? ['music', 'science'] : ['sport'],
      message: null,
      consent: true,
    }),
  },
  {
    key: 'health',
    name: 'Health and emergency',
    description: 'What we need to know to look after your child.',
    category: 'welfare',
    status: 'published',
    entityType: 'student',
    isPublic: true,
    sections: [],
    questions: [
      {
        key: 'allergies',
        label: 'Does the student have allergies?',
        type: 'select',
        section: '',
        isRequired: true,
        options: yesOrNo,
      },
      {
        key: 'which',
        label: 'Which ones?',
        type: 'textarea',
        section: '',
        isRequired: true,
        visibleWhen: { field: 'allergies', equals: 'yes' },
      },
      { key: 'emergency_phone', label: 'Telephone in an emergency', type: 'phone', section: '', isRequired: true },
      {
        key: 'signature',
        label: 'Signature of a parent or guardian',
        type: 'signature',
        section: '',
        isRequired: true,
      },
    ],
    answers: ({ contact }, nth) => ({
      allergies: nth % 2 === 0 ? 'no' : 'yes',
      ...(nth % 2 === 1 && { which: 'Peanuts' }),
      emergency_phone: '+1 555 0100',
      signature: contact.name,
    }),
  },
  {
    key: 'visit',
    name: 'Visit the school',
    description: 'Tell us when you would like to come.',
    category: 'outreach',
    status: 'published',
    entityType: 'none',
    isPublic: true,
    sections: [],
    questions: [
      { key: 'name', label: 'Your name', type: 'text', section: '', isRequired: true },
      { key: 'email', label: 'E-mail', type: 'email', section: '', isRequired: true },
      {
        key: 'people',
        label: 'How many people?',
        type: 'number',
        section: '',
        isRequired: true,
        validation: { min: 1, max: 12 },
      },
    ],
    answers: ({ contact }, nth) => ({
      name: contact.name,
      email: contact.email ?? 'visitor@example.org',
      people: 1 + (nth % 4),
    }),
  },
  {
    key: 'excursion',
    name: 'Consent to an excursion',
    description: '',
    category: 'welfare',
    status: 'draft',
    entityType: 'student',
    isPublic: false,
    sections: [],
    questions: [
      { key: 'consent', label: 'The student may come along.', type: 'checkbox', section: '', isRequired: true },
    ],
  },
  {
    key: 'survey_2024',
    name: 'Survey of families 2024',
    description: '',
    category: 'quality',
    status: 'archived',
    entityType: 'none',
    isPublic: false,
    sections: [],
    questions: [{ key: 'opinion', label: 'How do you like the school?', type: 'textarea', section: '' }],
  },
]

const submissionsPerTemplate = 6

/** Makes form templates of every kind and status, and submissions that are tied to students and to applications. */
export function makeForms(
  plan: Plan,
  students: readonly DocumentOwner[],
  applications: readonly DocumentOwner[],
): FormRows {
  const rows: FormRows = { templates: [], versions: [], submissions: [], counts: [] }
  for (const [index, template] of templates.entries()) {
    const createdAt = plan.start + (30 + index) * day
    const id = plan.ids.of('form template', index, createdAt)
    addTemplate(plan, rows, template, index, id, createdAt)
    if (template.answers === undefined) continue
    const owners = template.entityType === 'application' ? applications : students
    const chosen = owners.slice(0, submissionsPerTemplate)
    rows.submissions.push(...chosen.map((owner, nth) => submissionRow(plan, template, index, id, owner, nth)))
    rows.counts.push({ template_id: id, shard: 0, count: chosen.length })
  }
  return rows
}

function addTemplate(plan: Plan, rows: FormRows, template: Template, index: number, id: string, createdAt: number) {
  const { key, name, description, category, status, entityType, isPublic } = template
  rows.templates.push({
    id,
    key,
    name,
    description,
    translations: translationsOf({ name, description }),
    category,
    status,
    is_public: isPublic,
    current_version: 1,
    created_at: stamp(createdAt),
    updated_at: stamp(createdAt + hour),
  })
  rows.versions.push({
    template_id: id,
    version_number: 1,
    entity_type: entityType,
    sections: template.sections.map(([sectionKey, title], position) => ({
      key: sectionKey,
      title,
      position: position + 1,
    })),
    fields: template.questions.map((question, position) => ({
      id: plan.ids.of('form field', index * 64 + position, createdAt),
      key: question.key,
      label: question.label,
      type: question.type,
      isRequired: question.isRequired ?? false,
      options: (question.options ?? []).map(([value, label]) => ({ value, label })),
      helpText: question.helpText ?? '',
      validation: question.validation ?? {},
      visibleWhen: question.visibleWhen ?? { all: [] },
      section: question.section,
      position: position + 1,
    })),
    mapping: template.mapping ?? {},
    translations: {
      sections: Object.fromEntries(
        template.sections.map(([sectionKey, title]) => [sectionKey, translationsOf({ title })]),
      ),
      fields: Object.fromEntries(
        template.questions.map(({ key: questionKey, label, helpText = '', options = [] }) => [
          questionKey,
          { texts: translationsOf({ label, helpText }), options: translationsOf(Object.fromEntries(options)) },
        ]),
      ),
    },
    published_at: status === 'draft' ? null : stamp(createdAt + hour),
    created_at: stamp(createdAt),
  })
}

/** Texts in other languages, by their names. */
function translationsOf(named: Readonly<Record<string, string>>): object {
  return Object.fromEntries(
    Object.entries(named).flatMap(([name, text]) => {
      const translated = otherLanguages(text)
      return translated === null ? [] : [[name, translated]]
    }),
  )
}

function submissionRow(
  plan: Plan,
  { questions, answers, entityType }: Template,
  index: number,
  templateId: string,
  owner: DocumentOwner,
  nth: number,
): RowOf<typeof submissionsTable> {
  const submittedAt = Math.min(Math.max(owner.since, plan.start + 40 * day) + nth * hour, plan.end - hour)
  const given = answers?.(owner, nth) ?? {}
  return {
    id: plan.ids.of('form submission', index * 64 + nth, submittedAt),
    template_id: templateId,
    template_version: 1,
    student_id: entityType === 'student' ? owner.id : null,
    application_id: entityType === 'application' ? owner.id : null,
    status: nth % 5 === 4 ? 'withdrawn' : nth % 2 === 0 ? 'submitted' : 'processed',
    answers: questions
      .filter(({ key }) => key in given)
      .map(({ key, label, type }) => ({ fieldKey: key, label, type, value: given[key] })),
    submitter_name: owner.contact.name,
    submitter_email: owner.contact.email,
    source: 'public_form',
    submitted_at: stamp(submittedAt),
    created_at: stamp(submittedAt),
    updated_at: stamp(submittedAt),
  }
}
