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

/** What the parts and the questions of a form are in other languages, by their keys. */
export interface FormTranslations {
  readonly sections?: Readonly<Record<string, Translations>>
  /** The labels of choices by their values, beside the texts of the question itself. */
  readonly fields?: Readonly<Record<string, { readonly texts?: Translations; readonly options?: Translations }>>
}

/** A version of a template as it is put to people: everything that decides which answers are right. */
export interface FormDefinition {
  readonly entityType: FormEntityType
  readonly sections: readonly FormSectionRecord[]
  /** In order; a condition looks at earlier questions only. */
  readonly fields: readonly FormFieldRecord[]
  /** What an answer becomes in the application that the submission makes, by the key of its question. */
  readonly mapping: Readonly<Record<string, MappingTarget>>
  readonly translations: FormTranslations
}

/** How an institution describes a template: without ids and positions, which follow from keys and order. */
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

/** What is wrong with an answer, for a page that says it in the reader's language. */
export interface FormError {
  /** The key of the question; for an answer to no question, the key that was sent. */
  readonly fieldKey: string
  readonly code: FormFaultCode
  /** What would be right: lengths, numbers, days (`YYYY-MM-DD`), counts or bytes; media types. */
  readonly bounds: {
    readonly minimum?: number | string
    readonly maximum?: number | string
    readonly allowed?: readonly string[]
  }
}

/** The condition of a question that is always put. */
export const always: FormCondition = { all: [] }

/** The most characters that the mapped field of an application takes. */
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
}

/** The key of the document type that the files of a question get. */
export function getDocumentTypeKey({ validation }: Pick<FormFieldRecord, 'validation'>): string {
  return validation.documentTypeKey ?? 'other'
}
