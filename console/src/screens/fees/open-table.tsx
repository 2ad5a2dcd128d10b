import type { OpenObligation, Payer } from '../../calls/fees/billing-api.ts'
import { ScrolledTable } from '../../elements/scrolled-table.tsx'
import { useMessages } from '../../messages/messages.tsx'
import { DecimalInput } from '../../records/form/decimal-input.tsx'
import { moneyText } from '../../records/money.ts'
import { useDay } from './days.ts'
import { useFeeMessages } from './use-fee-messages.ts'

interface Props {
  readonly open: readonly OpenObligation[]
  readonly digits: number
  readonly allocated: ReadonlyMap<string, number>
  readonly typed: ReadonlyMap<string, string>
  readonly wrong: ReadonlySet<string>
  readonly payers: readonly Payer[]
  readonly onType: (paymentId: string, text: string) => void
}

/** What is open, the oldest first, with what is paid of it now. */
export function OpenTable({ open, digits, allocated, typed, wrong, payers, onType }: Props) {
  const { locale } = useMessages()
  const own = useFeeMessages()
  const showDay = useDay()
  return (
    <ScrolledTable label={own.open} className="open-payments">
      <thead>
        <tr>
          <th scope="col">{own.what}</th>
          <th scope="col">{own.due}</th>
          <th scope="col" className="number">
            {own.openAmount}
          </th>
          <th scope="col" className="number">
            {own.pays}
          </th>
        </tr>
      </thead>
      <tbody>
        {open.map(({ paymentId, accountId, description, studentName, dueDate, openAmount, currency }) => {
          const part = allocated.get(paymentId) ?? 0
          const isWrong = wrong.has(paymentId)
          const payer = payers.length > 1 ? payers.find(({ id }) => id === accountId)?.name : undefined
          return (
            <tr key={paymentId}>
              <th scope="row">
                {description}
                <span className="quiet small">
                  {[studentName, payer === studentName ? undefined : payer].filter(Boolean).join(' · ')}
                </span>
              </th>
              <td className="due">{showDay(dueDate)}</td>
              <td className="number">{moneyText(locale, openAmount, currency)}</td>
              <td className="number">
                <DecimalInput
                  className="input numbers"
                  autoComplete="off"
                  aria-label={own.paysOf(description, studentName)}
                  aria-invalid={isWrong || undefined}
                  aria-describedby={isWrong ? `wrong-${paymentId}` : undefined}
                  value={typed.get(paymentId) ?? (part === 0 ? '' : part.toFixed(digits))}
                  onChange={(text) => onType(paymentId, text)}
                />
                {isWrong && (
                  <span id={`wrong-${paymentId}`} className="fault">
                    {own.wrongPart(moneyText(locale, openAmount, currency))}
                  </span>
                )}
              </td>
            </tr>
          )
        })}
      </tbody>
    </ScrolledTable>
  )
}
