export { Mailer, parseMailFrom, parseSmtpUrl } from './mailer.ts'
export { type Composer, mailJob, putOut } from './outgoing-mails.ts'
export { putOutUnasked } from './unasked-mails.ts'
