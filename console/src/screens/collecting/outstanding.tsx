import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { type AgeingBy, type AgeingRow, readAgeing } from '../../calls/fees/collecting-api.ts'
import { Button } from '../../elements/button.tsx'
import { Field } from '../../elements/field.tsx'
import { ScrolledTable } from '../../elements/scrolled-table.tsx'
import { Empty, Waiting } from '../../elements/states.tsx'
import { useMessages } from '../../messages/messages.tsx'
import { csvOf, saveFile } from '../../records/csv.ts'
import { amountText, moneyText } from '../../records/money.ts'
import { Failed } from '../../session/failed.tsx'
import { useSession } from '../../session/session.tsx'
import { NoPage } from '../../shell/no-page.tsx'
import { addressOf, go, Link, useQueryText } from '../../shell/router.tsx'
import { sum } from '../fees/allocation.ts'
import { useCollectingMessages } from './use-collecting-messages.ts'
import './collecting.css'

const ages = ['notDue', 'days1To30', 'days31To60', 'days61To90', 'over90', 'total'] as const
type Amounts = Pick<AgeingRow, (typeof ages)[number]>

/** The sums of rows of one currency, age by age. */
function sumsOf(rows: readonly AgeingRow[]): Amounts {
  return Object.fromEntries(ages.map((age) => [age, sum(...rows.map((row) => row[age]))])) as unknown as Amounts
}

/** What is open by age: what is exported is what is seen, and its sum is what is open. */
export default function Outstanding() {
  const { messages } = useMessages()
  const own = useCollectingMessages()
  const { has } = useSession()
  const asked = new URLSearchParams(useQueryText())
  const by = (Object.keys(own.bys).find((each) => each === asked.get('by')) ?? 'account') as AgeingBy
  const asOf = /^\d{4}-\d{2}-\d{2}$/.exec(asked.get('asOf') ?? '')?.[0] ?? ''
  const isOpen = has('billing:read')
  const rows = useQuery({
    queryKey: ['payment', 'ageing', by, asOf],
    queryFn: () => readAgeing(by, asOf),
    placeholderData: (before) => before,
    enabled: isOpen,
  })
  // What is open at all, by which what no row has is told.
  const all = useQuery({
    queryKey: ['payment', 'ageing', 'account', asOf],
    queryFn: () => readAgeing('account', asOf),
    enabled: isOpen,
  })
  useEffect(() => {
    document.title = messages.screens.outstanding
  }, [messages])
  if (!isOpen) return <NoPage />
  const show = (change: Readonly<Record<string, string>>) => {
    for (const [name, value] of Object.entries(change)) {
      if (value === '') asked.delete(name)
      else asked.set(name, value)
    }
    go(`${addressOf.outstanding}?${asked}`)
  }
  const found = rows.data ?? []
  const save = () => {
    const head = [own.bys[by], own.currency, ...ages.map((age) => own[age])]
    const cells = found.map((row) => [row.name, row.currency, ...ages.map((age) => row[age])])
    const file = new Blob([csvOf([head, ...cells])], { type: 'text/csv' })
    saveFile(file, `${own.fileName}-${asOf || new Date().toISOString().slice(0, 10)}.csv`)
  }
  const currencies = [...new Set(found.map(({ currency }) => currency))]
  return (
    <>
      <div className="page-head">
        <h1>{messages.screens.outstanding}</h1>
        {found.length > 0 && <Button onClick={save}>{own.export}</Button>}
      </div>
      <div className="tools">
        <Field id="by" label={own.by}>
          <select id="by" className="input" value={by} onChange={({ target }) => show({ by: target.value })}>
            {Object.entries(own.bys).map(([value, label]) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </select>
        </Field>
        <Field id="as-of" label={own.asOf}>
          <input
            id="as-of"
            type="date"
            className="input"
            value={asOf}
            onChange={({ target }) => show({ asOf: target.value })}
          />
        </Field>
      </div>
      {rows.isPending && <Waiting lines={8} />}
      {rows.isError && <Failed error={rows.error} again={() => void rows.refetch()} />}
      {rows.data?.length === 0 && <Empty title={own.nothing} text={own.nothingText} />}
      {currencies.map((currency) => (
        <AgesCard
          key={currency}
          by={by}
          rows={found.filter((row) => row.currency === currency)}
          open={all.data?.filter((row) => row.currency === currency)}
        />
      ))}
    </>
  )
}

interface Props {
  readonly by: AgeingBy
  readonly rows: readonly AgeingRow[]
  /** What is open at all in this currency, once it was read. */
  readonly open: readonly AgeingRow[] | undefined
}

function AgesCard({ by, rows, open }: Props) {
  const { locale } = useMessages()
  const own = useCollectingMessages()
  const currency = rows[0]?.currency ?? ''
  const money = (amount: number) => (amount === 0 ? '' : amountText(locale, amount, currency))
  const sums = sumsOf(rows)
  const elsewhere = open === undefined || by === 'group' ? 0 : sum(sumsOf(open).total, -sums.total)
  return (
    <section className="card section" aria-label={currency}>
      <h2>{currency}</h2>
      <ScrolledTable label={`${own.bys[by]}, ${currency}`} className="ages">
        <thead>
          <tr>
            <th scope="col">{own.bys[by]}</th>
            {ages.map((age) => (
              <th key={age} scope="col" className="number">
                {own[age]}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.id}>
              <th scope="row">
                {by === 'account' && <Link to={addressOf.account(row.id)}>{row.name}</Link>}
                {by === 'student' && <Link to={addressOf.familyAtDesk('student', row.id)}>{row.name}</Link>}
                {by !== 'account' && by !== 'student' && row.name}
              </th>
              {ages.map((age) => (
                <td key={age} className={age === 'over90' && row[age] > 0 ? 'number late' : 'number'}>
                  <span className="age quiet small">{row[age] === 0 ? '' : own[age]}</span>
                  {money(row[age])}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">{own.sum(rows.length)}</th>
            {ages.map((age) => (
              <td key={age} className="number">
                <span className="age quiet small">{own[age]}</span>
                {amountText(locale, sums[age], currency)}
              </td>
            ))}
          </tr>
        </tfoot>
      </ScrolledTable>
      {by === 'group' && <p className="quiet small">{own.several}</p>}
      {elsewhere !== 0 && <p className="quiet small">{own.elsewhere(moneyText(locale, elsewhere, currency))}</p>}
    </section>
  )
}
