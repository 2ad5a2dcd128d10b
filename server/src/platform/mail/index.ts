export { type Letter, Mailer, MailSettingError, parseMailFrom, parseSmtpUrl } from './mailer.ts'
export { type Composer, type MailKind, mailJob, type OutgoingMail, putOut } from './outgoing-mails.ts'
