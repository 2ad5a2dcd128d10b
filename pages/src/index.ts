export type { AccountError } from './account/account-error.ts'
export {
  type AccountView,
  type LogInView,
  type PasswordView,
  renderAccountPage,
  renderLogInPage,
  renderPasswordPage,
} from './account/account-page.ts'
export { renderCodePage, renderCodeSetUpPage, renderRecoveryCodes } from './account/code-page.ts'
export { type FactorView, renderFactorPage } from './account/factor-page.ts'
export { renderPasskeyPage, renderPasskeySetUpPage } from './account/passkey-page.ts'
export { renderSignInPage, type SessionView, type SignInView } from './account/sign-in-page.ts'
export { formatSize, typesText } from './browser/file-words.ts'
export { type ClosedReason, type ClosedView, renderClosedPage } from './closed-page.ts'
export { formatDay, formatList, formatMoment } from './formats.ts'
export { controlName } from './forms/form-field.ts'
export { renderFormPage } from './forms/form-page.ts'
export { type FormReceiptView, renderFormReceipt } from './forms/form-receipt.ts'
export type { AnswerError, FieldBounds, FieldType, FieldView, FormView, SectionView } from './forms/form-view.ts'
export type { PageContext } from './frame.ts'
export { Html, html, joined, nothing } from './html.ts'
export { chooseLocale, findLocale } from './locale.ts'
export { greet, type Locale, locales, type Messages, messagesIn } from './messages/index.ts'
export { type ReceiptView, renderReceipt } from './receipt.ts'
export { renderRequestPage } from './requests/request-page.ts'
export { type ItemStatus, missingItems, type RequestItemView, type RequestView } from './requests/request-view.ts'
