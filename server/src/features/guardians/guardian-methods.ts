import { guardian, student, user } from '@matricula/contract/record-types'
import { isOwn, mayDo, RecordError, updateRecord } from '../../record-engine/index.ts'
import { type RecordMethod, recordMethod } from '../../resource-api/index.ts'
import { welcomeUser } from '../organisation/index.ts'

/** What clients ask about those who answer for students. */
export const guardianMethods: readonly RecordMethod[] = [
  recordMethod({
    path: 'education.education.api.get_student_guardians',
    rights: [{ type: student, right: 'read' }],
    isForStudents: true,
    summary: 'The guardians of a student.',
    result: { type: 'array', description: 'Objects with `guardian`.' },
    parameters: { student: { type: 'string', required: true } },
    run: async (work, { student: name }) => {
      const found = await work.find(student, name)
      if (!(await isOwn(work, student, found?.name ?? name, 'read'))) {
        throw new RecordError('PermissionError', 'The guardians of other students are not yours to read.')
      }
      return [...new Set(found?.guardians.map((row) => row.guardian))].map((one) => ({ guardian: one }))
    },
  }),
  recordMethod({
    path: 'education.education.doctype.guardian.guardian.invite_guardian',
    rights: [
      { type: guardian, right: 'read' },
      { type: guardian, right: 'write' },
    ],
    summary:
      'The user of a guardian, made where there is none yet and mailed a link to set a password, if mails are sent. Where the caller may write users, the guardian record then names it; a guardian with another account is invited by such callers alone.',
    result: { type: 'string', description: 'The name of the user.' },
    parameters: { guardian: { type: 'string', required: true } },
    run: async (work, { guardian: name }) => {
      const { guardian_name, email_address, user: account } = await work.get(guardian, name)
      const email = email_address?.trim().toLowerCase() ?? ''
      if (email === '') {
        throw new RecordError('ValidationError', `The guardian ${name} has no e-mail address. Set one to invite them.`)
      }
      if (account && account !== email) work.require(user, 'write')
      const known = await work.linked(user, email)
      if (known !== null) {
        work.messages.push({ message: `There is a user ${known.name} already.`, indicator: 'orange' })
        return known.name
      }
      const first_name = guardian_name?.slice(0, 140) ?? ''
      const made = await work.insert(user, {
        email,
        first_name,
        user_type: 'Website User',
        roles: [{ role: 'Guardian' }],
      })
      if (mayDo(work.caller, user, 'write')) await updateRecord(work, guardian.name, name, { user: made.name })
      await welcomeUser(work, made.name)
      return made.name
    },
  }),
]
