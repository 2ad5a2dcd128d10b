export type { AccountFault } from './account-fault.ts'
export {
  type AccountView,
  type LogInView,
  type PasswordView,
  renderAccountPage,
  renderLogInPage,
  renderPasswordPage,
} from './account-page.ts'
export { formatSize, typesInWords } from './browser/file-words.ts'
export { type ClosedView, renderClosedPage } from './closed-page.ts'
export { renderCodePage, renderCodeSetUpPage, renderRecoveryCodes } from './code-page.ts'
export { type FactorView, renderFactorPage } from './factor-page.ts'
export { controlName } from './form-field.ts'
export { renderFormPage } from './form-page.ts'
export { type FormReceiptView, renderFormReceipt } from './form-receipt.ts'
export type { AnswerFault, FieldBounds, FieldType, FieldView, FormView, SectionView } from './form-view.ts'
export { formatDay, formatList, formatMoment } from './formats.ts'
export type { PagePlace } from './frame.ts'
export { Html, html, joined, nothing } from './html.ts'
export { chooseLocale, localeOf } from './locale.ts'
export { renderPasskeyPage, renderPasskeySetUpPage } from './passkey-page.ts'
export { type ReceiptView, renderReceipt } from './receipt.ts'
export { renderRequestPage } from './request-page.ts'
export { type ItemStatus, missingItems, type RequestItemView, type RequestView } from './request-view.ts'
export { renderSignInPage, type SessionView, type SignInView } from './sign-in-page.ts'
export { type Locale, locales, wordsIn } from './words/index.ts'
export type { ClosedReason, Words } from './words/words.ts'
