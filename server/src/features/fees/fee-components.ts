import { feeComponent, feeStructure, type fees, programEnrollment } from '@matricula/contract/record-types'
import { getTotal } from '../../money/index.ts'
import { emptyDocument, type RecordOf, type RecordWork } from '../../record-engine/index.ts'
import { giveDiscounts } from '../billing-accounts/index.ts'
import { getComponents, loadCurrency } from './fee-structures.ts'

type Fee = RecordOf<typeof fees>
type FeeRow = ReturnType<typeof getComponents>[number]

/** The components of a fee from a structure, and of the discounts of the institution, for each of the students. */
export async function chargeComponents(
  work: RecordWork,
  structure: Parameters<typeof getComponents>[0],
  charged: readonly { readonly student: string; readonly student_category: string | null }[],
  { currency, day }: { readonly currency: string; readonly day: string },
): Promise<FeeRow[][]> {
  const rows = getComponents(structure)
  const components = rows.map(({ fees_category: category, amount }) => ({
    category,
    amount: getTotal([amount], currency),
  }))
  const discounts = await giveDiscounts(
    work.tx,
    charged.map(({ student: studentCode, student_category: studentCategory }) => ({
      ...{ studentCode, studentCategory, currency, day, components },
    })),
  )
  return discounts.map((given) => [
    ...rows,
    ...given.map(({ category, amount, description }) => ({
      fees_category: category,
      description,
      amount,
      total: amount,
    })),
  ])
}

/** Fills in the components of a fee that was sent without any, from its structure. */
export async function setFeeComponents(fee: Fee, work: RecordWork): Promise<void> {
  if (fee.components.length > 0 || !fee.student) return
  const structure = await work.find(feeStructure, fee.fee_structure ?? '')
  if (structure === null) return
  const enrollment = await work.linked(programEnrollment, fee.program_enrollment)
  const student_category = fee.student_category || (enrollment?.student_category ?? null)
  const currency = await loadCurrency(work, fee.company || structure.company)
  const day = fee.posting_date ?? work.today
  const [rows = []] = await chargeComponents(work, structure, [{ student: fee.student, student_category }], {
    currency,
    day,
  })
  const items = new Map(structure.components.map(({ fees_category, item }) => [fees_category, item]))
  fee.components = rows.map((row) => ({
    ...(emptyDocument(feeComponent) as RecordOf<typeof feeComponent>),
    ...row,
    item: items.get(row.fees_category) ?? null,
  }))
}
