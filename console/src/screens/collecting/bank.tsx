import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useEffect, useState } from 'react'
import { type BankStatement, bankStatements, importStatement, statementType } from '../../calls/fees/collecting-api.ts'
import { Button } from '../../elements/button.tsx'
import { Field } from '../../elements/field.tsx'
import { useNotify } from '../../elements/notices.tsx'
import { Waiting } from '../../elements/states.tsx'
import { useMessages } from '../../messages/messages.tsx'
import { Failed } from '../../session/failed.tsx'
import { useSession } from '../../session/session.tsx'
import { NoPage } from '../../shell/no-page.tsx'
import { addressOf, go, Link, useQueryText } from '../../shell/router.tsx'
import { useDay } from '../fees/days.ts'
import { BankLines } from './bank-lines.tsx'
import { useIntention } from './intention.ts'
import { useCollectingMessages } from './use-collecting-messages.ts'
import './collecting.css'

const addressOfStatement = (id: string) => `${addressOf.bank}?statement=${id}`

/** Bank statements: a file is imported, and its lines are booked by what is proposed. */
export default function Bank() {
  const { messages } = useMessages()
  const own = useCollectingMessages()
  const { has } = useSession()
  const isOpen = has('billing:read')
  const shown = new URLSearchParams(useQueryText()).get('statement')
  const statements = useQuery({ queryKey: ['payment', 'bank'], queryFn: bankStatements, enabled: isOpen })
  useEffect(() => {
    document.title = messages.screens.bank
  }, [messages])
  if (!isOpen) return <NoPage />
  return (
    <>
      <div className="page-head">
        <h1>{messages.screens.bank}</h1>
      </div>
      {has('billing:write') && <Upload />}
      {shown !== null && <BankLines key={shown} statement={shown} />}
      <section className="card section" aria-label={own.files}>
        <h2>{own.files}</h2>
        {statements.isPending && <Waiting lines={3} />}
        {statements.isError && <Failed error={statements.error} again={() => void statements.refetch()} />}
        {statements.data?.length === 0 && <p className="quiet">{own.noFiles}</p>}
        <ul className="timeline">
          {statements.data?.map((statement) => (
            <StatementItem key={statement.id} statement={statement} isShown={statement.id === shown} />
          ))}
        </ul>
      </section>
    </>
  )
}

function StatementItem({ statement, isShown }: { readonly statement: BankStatement; readonly isShown: boolean }) {
  const own = useCollectingMessages()
  const showDay = useDay()
  const { id, account, from, to, lines, format, warnings } = statement
  const day = (text: string | null) => (text === null ? '…' : showDay(text))
  return (
    <li>
      <Link className="file" to={addressOfStatement(id)} aria-current={isShown ? 'true' : undefined}>
        {own.statementOf(account, day(from), day(to))}
      </Link>{' '}
      <span className="quiet">
        {format} · {own.imported(lines.new, lines.known)}
      </span>
      {warnings.some(({ code }) => code === 'gap') && <span className="badge wait">{own.gap}</span>}
    </li>
  )
}

function Upload() {
  const own = useCollectingMessages()
  const queries = useQueryClient()
  const tell = useNotify()
  const { isBusy, act } = useIntention()
  const [file, setFile] = useState<File | null>(null)
  const [iban, setIban] = useState('')
  const send = (event: FormEvent) => {
    event.preventDefault()
    if (file === null) return
    void act(async () => {
      const type = statementType(file.name, await file.slice(0, 400).text())
      const made = await importStatement(file, type, type === 'text/csv' ? iban.replaceAll(/\s/g, '') : '')
      tell(own.imported(made.lines.new, made.lines.known))
      void queries.invalidateQueries({ queryKey: ['payment'] })
      go(addressOfStatement(made.id))
    })
  }
  return (
    <form className="card section" onSubmit={send} aria-label={own.upload}>
      <div className="tools">
        <Field id="statement-file" label={own.upload} about={own.uploadText} isWide>
          <input
            id="statement-file"
            type="file"
            className="input"
            required
            aria-describedby="statement-file-about"
            accept=".xml,.sta,.mt940,.940,.txt,.ofx,.qfx,.csv"
            onChange={({ target }) => setFile(target.files?.[0] ?? null)}
          />
        </Field>
        {file !== null && /\.csv$/i.test(file.name) && (
          <Field id="statement-iban" label={own.iban}>
            <input
              id="statement-iban"
              className="input"
              autoComplete="off"
              maxLength={42}
              value={iban}
              onChange={({ target }) => setIban(target.value)}
            />
          </Field>
        )}
        <Button type="submit" kind="main" isBusy={isBusy}>
          {own.import}
        </Button>
      </div>
    </form>
  )
}
