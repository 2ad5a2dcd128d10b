import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { type FamilyMember, type Payer, readFamily } from '../../calls/fees/billing-api.ts'
import { Button } from '../../elements/button.tsx'
import { Waiting } from '../../elements/states.tsx'
import { useMessages } from '../../messages/messages.tsx'
import { moneyText } from '../../records/money.ts'
import { Failed } from '../../session/failed.tsx'
import { useSession } from '../../session/session.tsx'
import { useKeys } from '../../shell/keys.ts'
import { NoPage } from '../../shell/no-page.tsx'
import { addressOf, go, Link, useQueryText } from '../../shell/router.tsx'
import { FamilyPayment } from './family-payment.tsx'
import { FamilySearch } from './family-search.tsx'
import { LastReceipts } from './last-receipts.tsx'
import { PayOut } from './payout.tsx'
import { useFeeMessages } from './use-fee-messages.ts'
import './fees.css'

const members: ReadonlySet<string> = new Set<FamilyMember>(['account', 'student', 'guardian'])

/** Where a family pays: it is found by a few letters, what is open is seen, money is taken, the receipt is printed. */
export default function FeeDesk() {
  const { messages } = useMessages()
  const own = useFeeMessages()
  const { has } = useSession()
  const asked = new URLSearchParams(useQueryText())
  const of = asked.get('of') ?? ''
  const id = asked.get('id') ?? ''
  const isFound = members.has(of) && id !== ''
  useEffect(() => {
    document.title = messages.screens.feeDesk
  }, [messages])
  useKeys({ n: () => go(addressOf.feeDesk) })
  if (!has('billing:read')) return <NoPage />
  return (
    <>
      <div className="page-head">
        <h1>{messages.screens.feeDesk}</h1>
        {isFound && (
          <Button keys="n" onClick={() => go(addressOf.feeDesk)}>
            {own.next}
          </Button>
        )}
      </div>
      {isFound ? <FamilyAt key={`${of} ${id}`} of={of as FamilyMember} id={id} /> : <FamilySearch />}
    </>
  )
}

function FamilyAt({ of, id }: { readonly of: FamilyMember; readonly id: string }) {
  const own = useFeeMessages()
  const { has } = useSession()
  // Under the name that events have for it, so that what others take meanwhile is seen.
  const family = useQuery({ queryKey: ['payment', 'family', of, id], queryFn: () => readFamily(of, id) })
  if (family.isPending) return <Waiting lines={8} />
  if (family.isError) return <Failed error={family.error} again={() => void family.refetch()} />
  const { accounts, students, receipts } = family.data
  return (
    <>
      <section className="card section family" aria-label={own.payers}>
        <dl className="facts">
          {students.length > 0 && (
            <div>
              <dt className="label">{own.children}</dt>
              {students.map((student) => (
                <dd key={student.id}>
                  <StudentName {...student} />
                </dd>
              ))}
            </div>
          )}
          {accounts.map((account) => (
            <AccountFact key={account.id} account={account} />
          ))}
        </dl>
        {accounts.length === 0 && <p>{own.noAccount}</p>}
      </section>
      {accounts.length > 0 && has('billing:write') && (
        <FamilyPayment family={family.data} found={of === 'account' ? id : null} />
      )}
      <LastReceipts receipts={receipts} accounts={accounts} />
    </>
  )
}

function StudentName({ name, fullName }: { readonly name: string; readonly fullName: string }) {
  const { may, has } = useSession()
  const isReadable = may('Student', 'read') || has('students:read')
  return isReadable ? <Link to={addressOf.profile(name)}>{fullName}</Link> : fullName
}

function AccountFact({ account }: { readonly account: Payer }) {
  const { locale } = useMessages()
  const own = useFeeMessages()
  const { id, name, accountNumber, kind, currency, open, overdue, credit } = account
  const money = (amount: number) => moneyText(locale, amount, currency)
  return (
    <div>
      <dt className="label">
        {own.kinds[kind]} · {accountNumber}
      </dt>
      <dd>
        <Link to={addressOf.account(id)}>{name}</Link>
      </dd>
      <dd className="row">
        <span className={`badge ${overdue > 0 ? 'bad' : open > 0 ? 'wait' : 'good'}`}>{money(open)}</span>
        {overdue > 0 && <span>{own.overdue(money(overdue))}</span>}
        {credit > 0 && (
          <span className="quiet">
            {own.credit} {money(credit)}
          </span>
        )}
        <PayOut account={account} />
      </dd>
    </div>
  )
}
