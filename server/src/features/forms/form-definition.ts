import type {
  ApplicationTarget,
  FormCondition,
  FormEntityType,
  FormFaultCode,
  FormField,
  FormSection,
  FormTemplateStatus,
  MappingTarget,
  Static,
} from '@matricula/contract'
import type { Translations } from '../../tenancy/index.ts'

export type FormFieldRecord = Static<typeof FormField>
export type FormSectionRecord = Static<typeof FormSection>

/** The translations of the sections and questions of a form, by key. */
export interface FormTranslations {
  readonly sections?: Readonly<Record<string, Translations>>
  /** The labels of choices by their values, beside the texts of the question itself. */
  readonly fields?: Readonly<Record<string, { readonly texts?: Translations; readonly options?: Translations }>>
}

/** A version of a template: everything that decides which answers are valid. */
export interface FormDefinition {
  readonly entityType: FormEntityType
  readonly sections: readonly FormSectionRecord[]
  /** In order; a condition refers to earlier questions only. */
  readonly fields: readonly FormFieldRecord[]
  /** The member of the application that an answer is mapped to, by question key. */
  readonly mapping: Readonly<Record<string, MappingTarget>>
  readonly translations: FormTranslations
}

/** The settings of a template: without ids and positions, which follow from keys and order. */
export interface TemplateSettings {
  readonly key: string
  readonly name: string
  readonly description: string
  readonly category: string
  readonly status: FormTemplateStatus
  readonly isPublic: boolean
  readonly entityType: FormEntityType
  readonly sections: readonly { readonly key: string; readonly title: string }[]
  readonly fields: readonly Omit<FormFieldRecord, 'id' | 'position'>[]
  readonly mapping: Readonly<Record<string, MappingTarget>>
  readonly translations: FormTranslations & { readonly texts?: Translations }
}

/** A validation error of an answer, for a page that shows it in the reader's language. */
export interface FormError {
  /** The key of the question; for an unknown question, the key that was sent. */
  readonly fieldKey: string
  readonly code: FormFaultCode
  /** The valid range: lengths, numbers, dates (`YYYY-MM-DD`), counts or bytes; media types. */
  readonly bounds: {
    readonly minimum?: number | string
    readonly maximum?: number | string
    readonly allowed?: readonly string[]
  }
}

/** The condition of a question that is always visible. */
export const always: FormCondition = { all: [] }

/** The maximum length of each mapped member of an application, in characters. */
export const targetLengths: Readonly<Record<ApplicationTarget, number>> = {
  fullName: 255,
  givenNames: 255,
  familyNames: 255,
  email: 254,
  phone: 40,
  country: 120,
  stateProvince: 120,
  city: 120,
  address: 500,
  academicYear: 64,
  academicPeriod: 64,
  program: 255,
  dateOfBirth: 10,
  gender: 140,
  nationality: 140,
  postalCode: 140,
}

/** The key of the document type of a question's files. */
export function getDocumentTypeKey({ validation }: Pick<FormFieldRecord, 'validation'>): string {
  return validation.documentTypeKey ?? 'other'
}
