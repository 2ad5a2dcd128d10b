import { creditorReference, isCreditorReference } from '../accounts/iban.ts'

/** The texts of a transaction in which a reference may stand. */
export interface Referring {
  readonly reference: string | null
  readonly endToEndId: string | null
  readonly text: string | null
}

/** What a transaction refers to. */
export interface References {
  /** Creditor references (ISO 11649) with right check digits, also those that a Swiss QR reference is made of. */
  readonly creditor: readonly string[]
  /** Words that may be numbers of the institution's own. */
  readonly own: readonly string[]
}

/** At most so many words of a text are looked up. */
const maxWords = 60

/** The length of the creditor references of payments. */
const paymentReferenceLength = 25

/** The references that the texts of a transaction have, in their order. */
export function findReferences({ reference, endToEndId, text }: Referring): References {
  const written = [reference, endToEndId, text].flatMap((each) => each ?? [])
  const texts = written.map((each) => each.toUpperCase())
  return {
    creditor: [...new Set(texts.flatMap((each) => [...creditorReferences(each), ...swissReferences(each)]))],
    own: [...new Set([...written, ...texts].flatMap(ownNumbers))].slice(0, maxWords),
  }
}

/** People write references in groups of four, and banks put words right behind them. */
function creditorReferences(text: string): string[] {
  return [...text.matchAll(/RF\d{2}/g)].flatMap(({ index }) => {
    const [word = ''] = /^[A-Z0-9]+/.exec(text.slice(index)) ?? []
    const compact = text.slice(index).replace(/ /g, '').slice(0, paymentReferenceLength)
    return [word, compact].filter(isCreditorReference)
  })
}

/**
 * A QR reference (Swiss Implementation Guidelines QR-bill, Annex B) has 26 digits and a check digit; the last 21 are those
 * of the creditor reference, the ones before them are the bank's.
 */
function swissReferences(text: string): string[] {
  return [...text.matchAll(/(?<!\d)\d(?: ?\d){26}(?!\d)/g)].flatMap(([found]) => {
    const digits = found.replace(/ /g, '')
    return isSwissReference(digits) ? [creditorReference(digits.slice(5, 26))] : []
  })
}

const carries = [0, 9, 4, 6, 8, 2, 7, 1, 3, 5] as const

/** Whether 27 digits end with their check digit (modulo 10, recursive). */
function isSwissReference(digits: string): boolean {
  let carry = 0
  for (const digit of digits.slice(0, -1)) carry = carries[(carry + Number(digit)) % 10] as number
  return (10 - carry) % 10 === Number(digits.at(-1))
}

/** Words with a digit, as numbers of accounts, invoices and fees are. */
function ownNumbers(text: string): string[] {
  return text.split(/[\s,;:()+/]+/).filter((word) => word.length >= 4 && word.length <= 140 && /\d/.test(word))
}
