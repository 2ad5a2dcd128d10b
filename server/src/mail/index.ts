export { putOutUnasked } from './mail-limits.ts'
export { Mailer, parseMailFrom, parseSmtpUrl } from './mailer.ts'
export { type Composer, mailJob, putOut } from './outgoing-mails.ts'
