import type { FieldView, FormView } from './forms/form-view.ts'
import type { PageContext } from './frame.ts'
import type { Locale } from './messages/index.ts'
import type { RequestItemView, RequestView } from './requests/request-view.ts'

export function aLocation(locale: Locale = 'en', more: Partial<PageContext> = {}): PageContext {
  return { locale, isLocaleChosen: false, root: '../', path: 'r/token', below: '', assets: 'pages/hash', ...more }
}

export function anItem(more: Partial<RequestItemView> = {}): RequestItemView {
  return {
    id: 'item-1',
    label: 'Birth certificate',
    instructions: '',
    isRequired: true,
    status: 'pending',
    rejectionReason: null,
    fileName: null,
    allowedMimeTypes: ['application/pdf', 'image/jpeg'],
    maxSizeBytes: 20 * 1024 * 1024,
    isOpen: true,
    ...more,
  }
}

export function aRequestView(more: Partial<RequestView> = {}): RequestView {
  return {
    place: aLocation(),
    institution: 'Hillside School',
    timeZone: 'America/Mexico_City',
    firstName: 'Ada',
    title: 'Enrolment 2026',
    message: '',
    contact: null,
    expiresAt: '2026-12-05T03:00:00.000Z',
    submittedAt: null,
    items: [anItem()],
    canSubmit: false,
    fault: null,
    ...more,
  }
}

export function aField(more: Partial<FieldView> = {}): FieldView {
  return {
    key: 'full_name',
    label: 'Full name',
    type: 'text',
    isRequired: true,
    options: [],
    helpText: '',
    validation: {},
    visibleWhen: { all: [] },
    ...more,
  }
}

export function aFormView(fields: readonly FieldView[], more: Partial<FormView> = {}): FormView {
  return {
    place: aLocation('en', { root: '../../', path: 'f/school/form' }),
    institution: 'Hillside School',
    title: 'Application',
    description: '',
    forWhom: null,
    sections: [{ title: '', fields }],
    answers: {},
    faults: [],
    problem: null,
    submissionKey: 'key',
    draft: null,
    isLinkMailed: false,
    ...more,
  }
}
